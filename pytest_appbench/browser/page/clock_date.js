// Says what date the document begins at; runs in its isolated world after the clock's own scripts.
(date) => {
  globalThis.appbenchClock?.begin(date);
}

// The blank page's end of a judge's script: starts the worker that holds it, keeps what it says until
// the harness asks, and passes the answers on. Nothing of the script runs in this realm.
() => {
  let run = null;
  const stop = () => {
    run?.worker.terminate();
    run = null;
  };
  const start = (program) => {
    stop();
    const address = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
    const made = { worker: new Worker(address), messages: [], printed: [], wake: () => {} };
    URL.revokeObjectURL(address);
    const take = (message) => {
      if (message[0] === "print") {
        made.printed.push(message[1]);
        return;
      }
      made.messages.push(message);
      made.wake();
    };
    made.worker.onmessage = (event) => take(event.data);
    made.worker.onerror = (event) => {
      event.preventDefault();
      take(["broken", event.message, event.lineno, event.colno]);
    };
    run = made;
  };
  // Gives an answer to the script, and waits for what it says next.
  const exchange = async ({ answer, ms }) => {
    const current = run;
    if (answer) current.worker.postMessage(answer);
    if (!current.messages.length) {
      await new Promise((resolve) => {
        current.wake = resolve;
        setTimeout(resolve, ms);
      });
    }
    return { printed: current.printed.splice(0).join(""), message: current.messages.shift() ?? null };
  };
  globalThis.appbenchBench = { start, stop, exchange };
}

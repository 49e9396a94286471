(() => {
  globalThis.alert = () => {};
  globalThis.confirm = () => true;
  globalThis.prompt = (_, value) => value ?? "";
  globalThis.print = () => {};
})();

// The part of hooks.js for what an app asks of the person or of the browser: permissions, pickers, workers
// that outlive it, and whether it is being automated. Each is answered as by a person who declines, and
// told once a moment at most. What stands in for a function of the browser reads like that function.
(hooks) => {
  "use strict";
  const { report, attempt, budget, replaced } = hooks;
  const { apply, getOwnPropertyDescriptor, defineProperty } = Reflect;
  const TextOf = String, Later = Promise, Failure = DOMException;
  const rejected = Later.reject.bind(Later);

  // Watches a method; what it does instead of the browser's own is up to `act`.
  const watch = (target, name, act) => {
    const own = target && getOwnPropertyDescriptor(target, name);
    const native = own?.value ?? own?.get;
    if (typeof native !== "function") return;
    const trap = { __proto__: null, apply: (_, self, values) => act(native, self, values) };
    const watched = new Proxy(native, trap);
    replaced(watched, native);
    defineProperty(target, name, { ...own, ...(own.get ? { get: watched } : { value: watched }) });
  };
  const telling = (kind, text) => {
    const may = budget("attempts", 30);
    return (native, self, values) => {
      if (may()) attempt(kind, text);
      return apply(native, self, values);
    };
  };
  const types = globalThis;
  const permissions = [
    [types.Geolocation?.prototype, "getCurrentPosition", "geolocation"],
    [types.Geolocation?.prototype, "watchPosition", "geolocation"],
    [types.Notification, "requestPermission", "notifications"],
    [types.MediaDevices?.prototype, "getUserMedia", "camera or microphone"],
    [types.MediaDevices?.prototype, "getDisplayMedia", "the screen"],
    [types.Clipboard?.prototype, "read", "reading the clipboard"],
    [types.Clipboard?.prototype, "readText", "reading the clipboard"],
    [types.Navigator?.prototype, "requestMIDIAccess", "MIDI devices"],
    [types.USB?.prototype, "requestDevice", "USB devices"],
    [types.HID?.prototype, "requestDevice", "HID devices"],
    [types.Serial?.prototype, "requestPort", "serial ports"],
    [types.Bluetooth?.prototype, "requestDevice", "Bluetooth devices"],
    [types.CredentialsContainer?.prototype, "get", "credentials"],
    [types.CredentialsContainer?.prototype, "create", "credentials"],
    [types.PaymentRequest?.prototype, "show", "payment"],
  ];
  for (let i = 0; i < permissions.length; i++) {
    const [target, name, words] = permissions[i];
    watch(target, name, telling("permission", words));
  }
  watch(types.DocumentPictureInPicture?.prototype, "requestWindow", () => {
    attempt("popup", "picture in picture");
    return rejected(new Failure("No window was opened.", "NotAllowedError"));
  });
  const mayPick = budget("dialogs", 30);
  for (const name of ["showOpenFilePicker", "showSaveFilePicker", "showDirectoryPicker"]) {
    watch(types, name, (native, self, values) => {
      if (mayPick()) report("filechooser", name, "cancelled");
      return apply(native, self, values);
    });
  }

  // A worker like this would outlive the page and answer for it. Refused as where there are none: the
  // driver's own refusal resolves to nothing, on which the usual `registration.scope` throws.
  const workers = types.ServiceWorkerContainer?.prototype;
  if (workers) {
    const { register } = {
      register(scriptURL) {
        attempt("service-worker", TextOf(scriptURL));
        return rejected(new Failure("Service workers are not available.", "SecurityError"));
      },
    };
    replaced(register, "function register() { [native code] }");
    defineProperty(workers, "register", { ...getOwnPropertyDescriptor(workers, "register"), value: register });
  }

  let isTold = false;
  watch(types.Navigator?.prototype, "webdriver", (native, self) => {
    const answer = apply(native, self, []);
    if (!isTold) report("automation", "navigator.webdriver", "");
    isTold = true;
    return answer;
  });
}

// Runs in every document of a guarded context before the document's own scripts. It answers what would
// stop the page or flood the driver (dialogs, console, errors, windows) and tells the isolated world
// about it, through a detached element that only the two of them hold. Nothing of it can be reached
// from the page by name, and it uses no primitive that the page could have replaced. What stands in for a
// function of the browser says that it is native code, as that function does.
(secret, extend) => {
  "use strict";
  const PER_SECOND = 300;
  const LONGEST = 2000;

  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const getter = (type, name) => uncurry(Object.getOwnPropertyDescriptor(type.prototype, name).get);
  const { apply, construct } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const TextOf = String, Link = URL, Plain = Event, Frame = HTMLIFrameElement;
  const slice = uncurry(String.prototype.slice);
  const listen = uncurry(EventTarget.prototype.addEventListener);
  const dispatch = uncurry(EventTarget.prototype.dispatchEvent);
  const prevent = uncurry(Event.prototype.preventDefault);
  const setAttribute = uncurry(Element.prototype.setAttribute);
  const framesNamed = uncurry(Document.prototype.getElementsByName);
  const baseOf = getter(Node, "baseURI");
  const hrefOf = getter(URL, "href");
  const hostOf = getter(URL, "host");
  const protocolOf = getter(URL, "protocol");
  const realTime = performance.now.bind(performance);
  const page = document;

  const channel = page.createElement("i");
  const offer = () => {
    const hello = new MouseEvent(`${secret}-offer`, { __proto__: null, relatedTarget: channel });
    dispatch(page, hello);
  };
  listen(page, `${secret}-ask`, offer, { __proto__: null, once: true });
  offer();

  const report = (kind, text, answer) => {
    setAttribute(channel, "kind", kind);
    setAttribute(channel, "text", slice(text, 0, LONGEST));
    setAttribute(channel, "answer", answer);
    dispatch(channel, new Plain("report"));
  };
  // Says of each of its calls whether it is still within what the time may hold.
  const budget = (name, most = PER_SECOND, period = 1000) => {
    let left = most, since = realTime(), isTold = false;
    return () => {
      const time = realTime();
      if (time - since >= period) {
        since = time;
        left = most;
      }
      if (left > 0) {
        left -= 1;
        return true;
      }
      if (!isTold) {
        isTold = true;
        report("flood", name, "");
      }
      return false;
    };
  };
  const natives = new WeakMap();
  const nativeOf = uncurry(WeakMap.prototype.get);
  const remember = uncurry(WeakMap.prototype.set);
  const replaced = (value, native) => {
    if (typeof native === "function" || typeof native === "string") remember(natives, value, native);
  };
  const replace = (target, name, value) => {
    const own = getOwnPropertyDescriptor(target, name);
    if (own) replaced(value, own.value);
    defineProperty(target, name, { ...own, value });
  };
  const sources = new Proxy(Function.prototype.toString, {
    __proto__: null,
    apply(target, self, values) {
      const native = typeof self === "function" ? nativeOf(natives, self) : undefined;
      return typeof native === "string" ? native : apply(target, native ?? self, values);
    },
  });
  replace(Function.prototype, "toString", sources);
  const absolute = (url) => {
    try {
      return hrefOf(new Link(url, baseOf(page)));
    } catch {
      return url;
    }
  };

  const mayReportDialog = budget("dialogs");
  const answerWith = (kind, text, answer) => {
    if (mayReportDialog()) report(kind, text, TextOf(answer ?? ""));
    return answer;
  };
  const dialogs = {
    alert(message = "") {
      answerWith("alert", TextOf(message));
    },
    confirm(message = "") {
      return answerWith("confirm", TextOf(message), true);
    },
    prompt(message = "", value = "") {
      const text = TextOf(message);
      return answerWith("prompt", text, TextOf(value));
    },
    print() {
      answerWith("print", "");
    },
  };
  for (const name of Object.keys(dialogs)) replace(globalThis, name, dialogs[name]);

  const mayLog = budget("console");
  for (const name of Object.keys(console)) {
    const native = console[name];
    if (typeof native !== "function" || name === "context" || name === "createTask") continue;
    const capped = {
      [name](...values) {
        if (!mayLog()) return;
        for (let i = 0; i < values.length; i++) {
          if (typeof values[i] === "string") values[i] = slice(values[i], 0, LONGEST);
        }
        return apply(native, console, values);
      },
    };
    replace(console, name, capped[name]);
  }

  const mayThrow = budget("exceptions");
  const cap = (event) => {
    if (!mayThrow()) prevent(event);
  };
  listen(globalThis, "error", cap, true);
  listen(globalThis, "unhandledrejection", cap, true);

  const mayReportWay = budget("attempts");
  const attempt = (kind, url) => {
    if (mayReportWay()) report(kind, url, "");
  };
  const nativeOpen = globalThis.open;
  const isFrame = (name) => {
    if (name === "_self" || name === "_top" || name === "_parent") return true;
    return name !== "" && framesNamed(page, name)[0] instanceof Frame;
  };
  const windows = {
    open(url = "", target = "") {
      const name = TextOf(target);
      if (isFrame(name)) return apply(nativeOpen, globalThis, [TextOf(url), name]);
      attempt("popup", absolute(TextOf(url)));
      return null;
    },
    close() {
      attempt("window-close", "");
    },
  };
  for (const name of Object.keys(windows)) replace(globalThis, name, windows[name]);

  // A way to another site ends here rather than on the browser's error page, so the app stays in use.
  // Changes of the address within the site are navigations too: as many as browsers allow by themselves.
  const ownHost = location.host || hostOf(new Link(page.baseURI));
  const isOwn = (url) => {
    const protocol = protocolOf(url);
    if (protocol === "http:" || protocol === "https:") return hostOf(url) === ownHost;
    return protocol === "about:" || protocol === "blob:" || protocol === "data:" || protocol === "javascript:";
  };
  if (globalThis.navigation) {
    const destinationOf = getter(NavigateEvent, "destination");
    const urlOf = getter(NavigationDestination, "url");
    const canCancel = getter(Event, "cancelable");
    const typeOf = getter(NavigateEvent, "navigationType");
    const isAsked = getter(NavigateEvent, "userInitiated");
    const mayPush = budget("history", 200, 10000);
    const mayMove = budget("address", 200, 10000);
    let cameBack = -Infinity;
    listen(navigation, "navigate", (event) => {
      const url = urlOf(destinationOf(event)), type = typeOf(event);
      if (type === "traverse") cameBack = realTime();
      if (!url || !canCancel(event)) return;
      const isLeaving = !isOwn(new Link(url));
      const may = type === "push" ? mayPush : mayMove;
      if (isLeaving || !may()) prevent(event);
      else if (type === "push" && realTime() - cameBack < 100 && !isAsked(event)) attempt("back-trap", url);
      if (isLeaving) attempt("navigation", url);
    });
  }

  // These reach the network without a request that the driver could tell of.
  const watch = (name, urlsOf) => {
    const native = globalThis[name];
    if (!native) return;
    const watched = new Proxy(native, {
      __proto__: null,
      construct(target, values, newTarget) {
        const made = construct(target, values, newTarget);
        urlsOf(values);
        return made;
      },
    });
    replace(globalThis, name, watched);
    replace(native.prototype, "constructor", watched);
  };
  const attemptForeign = (kind, url) => {
    const full = absolute(TextOf(url));
    try {
      if (isOwn(new Link(full))) return;
    } catch {
      return;
    }
    attempt(kind, full);
  };
  const reportServers = (values) => {
    const servers = values[0]?.iceServers ?? [];
    for (let i = 0; i < servers.length; i++) {
      const urls = servers[i]?.urls ?? servers[i]?.url ?? "";
      if (typeof urls === "string") attempt("webrtc", urls);
      else for (let k = 0; k < urls.length; k++) attempt("webrtc", TextOf(urls[k]));
    }
  };
  watch("RTCPeerConnection", reportServers);
  watch("webkitRTCPeerConnection", reportServers);
  watch("WebTransport", (values) => attemptForeign("webtransport", values[0]));
  watch("SharedWorker", (values) => attemptForeign("sharedworker", values[0]));

  extend({ report, attempt, budget, replaced });
}

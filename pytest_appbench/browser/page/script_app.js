// Runs first in the worker that holds one judge's script. It takes away all that a worker has beyond
// the language itself, gives the script `app` and `print`, and starts it. A worker has no document, no
// windows and no frames, so what is deleted here cannot be had again from another realm. The script
// may replace any prototype: after it started, only what was kept here at first is used.
(names, most, keptChars, keptLines, valueChars) => {
  "use strict";
  const MOST_ARGUMENTS = 200000;
  const MOST_NODES = 20000;
  const DEEPEST = 40;
  const GRACE = 500;

  const LANGUAGE = `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String
    Symbol Date Promise RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError
    URIError SuppressedError globalThis JSON Math Intl Temporal ArrayBuffer Uint8Array Int8Array Uint16Array
    Int16Array Uint32Array Int32Array BigUint64Array BigInt64Array Uint8ClampedArray Float16Array Float32Array
    Float64Array DataView Map BigInt Set Iterator WeakMap WeakSet Proxy Reflect DisposableStack
    AsyncDisposableStack decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite
    isNaN structuredClone atob btoa TextEncoder TextDecoder`.split(/\s+/);
  const MISSING = [
    [
      "there is no network and nothing can be started here; what a script can do is in `app`",
      `fetch XMLHttpRequest WebSocket EventSource WebTransport RTCPeerConnection Worker SharedWorker importScripts
       navigator Image Audio BroadcastChannel caches WebAssembly`,
    ],
    [
      "the script runs outside the app's page; look with app.look(), or run a function in it with app.evaluate(fn)",
      `document window self top parent opener frames location history localStorage sessionStorage indexedDB
       open alert confirm prompt getComputedStyle addEventListener dispatchEvent postMessage close`,
    ],
    [
      "no time passes by waiting; let the app's time pass with await app.advance(ms)",
      `setTimeout setInterval setImmediate requestAnimationFrame requestIdleCallback sleep performance`,
    ],
    ["there is no Node here, and there are no files", `require process module Buffer Deno Bun`],
  ];

  // --- what is kept for ourselves

  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const { ownKeys, getPrototypeOf, get: getFrom, has: hasIn } = Reflect;
  const { defineProperty, freeze, keys: keysOf, getOwnPropertyDescriptor } = Object;
  const isArray = Array.isArray;
  const isFiniteNumber = Number.isFinite;
  const { stringify } = JSON;
  const parse = JSON.parse;
  const { captureStackTrace } = Error;
  const Failure = Error, WrongArgument = TypeError, Later = Promise, Table = Map, Names = Set, TextOf = String;
  const errorBase = Error.prototype, mapBase = Map.prototype, setBase = Set.prototype, dateBase = Date.prototype;
  const isMadeFrom = uncurry(Object.prototype.isPrototypeOf);
  const put = uncurry(Map.prototype.set);
  const take = uncurry(Map.prototype.get);
  const drop = uncurry(Map.prototype.delete);
  const eachOf = uncurry(Map.prototype.forEach);
  const sizeOf = uncurry(getOwnPropertyDescriptor(Map.prototype, "size").get);
  const addTo = uncurry(Set.prototype.add);
  const removeFrom = uncurry(Set.prototype.delete);
  const isIn = uncurry(Set.prototype.has);
  const eachIn = uncurry(Set.prototype.forEach);
  const slice = uncurry(String.prototype.slice);
  const sourceOf = uncurry(Function.prototype.toString);
  const isoOf = uncurry(Date.prototype.toISOString);
  const isView = ArrayBuffer.isView;
  const send = globalThis.postMessage.bind(globalThis);
  const later = globalThis.setTimeout.bind(globalThis);
  const listen = globalThis.addEventListener.bind(globalThis);
  const textOf = (value) => {
    try {
      return TextOf(value);
    } catch {
      return "[unreadable]";
    }
  };

  // --- what the script is told besides its own output

  const notes = new Names();
  const note = (text) => {
    if (notes.size < 20) addTo(notes, text);
  };
  const forbid = (text) => {
    note(text);
    throw new Failure(text);
  };

  // --- values as JSON, whatever they are

  const plainOf = (most) => {
    let nodes = MOST_NODES, chars = most, isCut = false, isCyclic = false;
    const above = new Names();
    const cut = () => {
      isCut = true;
      return "[cut]";
    };
    const clipped = (text) => {
      if (text.length <= chars) {
        chars -= text.length;
        return text;
      }
      const part = slice(text, 0, chars);
      chars = 0;
      isCut = true;
      return part + "[cut]";
    };
    const listed = (count, item, depth) => {
      const list = [];
      for (let i = 0; i < count; i++) {
        if (nodes <= 0 || chars <= 0) {
          defineProperty(list, i, own(cut()));
          break;
        }
        defineProperty(list, i, own(plain(item(i), depth + 1)));
      }
      return list;
    };
    const gathered = (each, pair) => {
      const found = new Table();
      let count = 0;
      each((value, key) => {
        if (count <= MOST_NODES) put(found, count++, pair ? [key, value] : value);
      });
      return found;
    };
    const structure = (value, depth) => {
      if (isArray(value)) return listed(value.length, (i) => value[i], depth);
      if (isMadeFrom(errorBase, value)) return clipped(`${textOf(value.name)}: ${textOf(value.message)}`);
      if (isMadeFrom(dateBase, value)) return isoOf(value);
      if (isMadeFrom(mapBase, value)) {
        const found = gathered((visit) => eachOf(value, visit), true);
        return listed(sizeOf(found), (i) => take(found, i), depth);
      }
      if (isMadeFrom(setBase, value)) {
        const found = gathered((visit) => eachIn(value, visit), false);
        return listed(sizeOf(found), (i) => take(found, i), depth);
      }
      if (isView(value) && typeof value.length === "number") return listed(value.length, (i) => value[i], depth);
      if (value === app) return "[app]";
      const names = keysOf(value), object = { __proto__: null };
      for (let i = 0; i < names.length; i++) {
        if (nodes <= 0 || chars <= 0) {
          defineProperty(object, "…", own(cut()));
          break;
        }
        const name = clipped(names[i]);
        let item;
        try {
          item = value[names[i]];
        } catch (error) {
          item = "[threw]";
        }
        defineProperty(object, name, own(plain(item, depth + 1)));
      }
      return object;
    };
    const plain = (value, depth) => {
      nodes -= 1;
      switch (typeof value) {
        case "string":
          return clipped(value);
        case "boolean":
          return value;
        case "number":
          chars -= 4;
          return isFiniteNumber(value) ? value : TextOf(value);
        case "undefined":
          return null;
        case "object":
          break;
        default:
          return clipped(typeof value === "function" ? "[function]" : textOf(value));
      }
      if (value === null) return null;
      if (isIn(above, value)) {
        isCyclic = true;
        return "[cyclic]";
      }
      if (depth >= DEEPEST) return cut();
      addTo(above, value);
      try {
        return structure(value, depth);
      } catch {
        return "[unreadable]";
      } finally {
        removeFrom(above, value);
      }
    };
    return (value) => ({ text: textFrom(plain(value, 0)), isCut, isCyclic });
  };
  const own = (value) => ({ __proto__: null, value, enumerable: true, configurable: true, writable: true });
  const hidden = (value) => ({ __proto__: null, value, enumerable: false, configurable: true, writable: true });
  // The script may have given every array a toJSON, even one that throws: that spoils its own result only.
  const textFrom = (value) => {
    try {
      return textOf(stringify(value));
    } catch {
      return "null";
    }
  };

  // --- output

  let chars = keptChars, lines = keptLines;
  const print = (...values) => {
    let text = "";
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (i) text += " ";
      text += typeof value === "string" ? value : value === undefined ? "undefined" : plainOf(keptChars)(value).text;
    }
    if (chars > 0 && lines > 0) {
      send(["print", slice(text, 0, chars) + "\n"]);
      chars -= text.length + 1;
      lines -= 1;
      if (chars <= 0 || lines <= 0) send(["flood"]);
      return;
    }
    throw new Failure("there is too much output; the script is stopped");
  };
  const written = { __proto__: null };
  for (const name of "log info warn error debug trace table dir dirxml group groupCollapsed".split(" ")) {
    written[name] = freeze({ [name]: (...values) => { print(...values); } }[name]);
  }
  for (const name of "groupEnd time timeEnd timeLog count countReset clear".split(" ")) written[name] = () => {};
  written.assert = (holds, ...values) => {
    if (!holds) print("Assertion failed:", ...values);
  };

  // --- app

  const waiting = new Table();
  let asked = 0;
  const forArguments = (key, value) => {
    if (typeof value === "function") return sourceOf(value);
    if (typeof value === "number" && !isFiniteNumber(value)) throw new WrongArgument(`an argument is ${value}`);
    return value;
  };
  const ask = (name, values, method) => {
    const failure = new Failure("");
    captureStackTrace(failure, method);
    return new Later((resolve, reject) => {
      const text = stringify(values, forArguments);
      if (typeof text !== "string" || text.length > MOST_ARGUMENTS) {
        throw new WrongArgument(`the arguments of app.${name} are too long, or no JSON`);
      }
      asked += 1;
      put(waiting, asked, { __proto__: null, resolve, reject, failure });
      // One call more than is allowed tells the harness that the limit is reached.
      if (asked <= most + 1) send(["call", asked, name, text]);
    });
  };
  const methodNamed = (name) => {
    const method = { [name]: (...values) => ask(name, values, method) }[name];
    return freeze(method);
  };
  const methods = {};
  for (const name of names) methods[name] = methodNamed(name);
  freeze(methods);
  const unchanging = () => forbid("app cannot be changed or replaced");
  const app = new Proxy(methods, {
    __proto__: null,
    get(target, name) {
      if (hasIn(target, name) || typeof name === "symbol") return getFrom(target, name);
      return name === "then" || name === "toJSON" ? undefined : methodNamed(name);
    },
    set: unchanging,
    defineProperty: unchanging,
    deleteProperty: unchanging,
    setPrototypeOf: unchanging,
  });

  listen("message", (event) => {
    const data = event.data, id = data[0], call = take(waiting, id);
    if (!call) return;
    drop(waiting, id);
    if (data[1]) {
      call.resolve(parse(data[2]));
    } else {
      const { failure } = call;
      const stack = textOf(failure.stack);
      defineProperty(failure, "message", hidden(data[2]));
      defineProperty(failure, "stack", hidden(`Error: ${data[2]}${slice(stack, 5)}`));
      call.reject(failure);
    }
    turn();
  });

  // --- the end: when the script has ended and every call that it started has, too

  let state = "running", value, thrown, isEnded = false;
  const unhandled = new Table();
  listen("unhandledrejection", (event) => {
    event.preventDefault();
    if (sizeOf(unhandled) < 100) put(unhandled, event.promise, event.reason);
  });
  listen("rejectionhandled", (event) => {
    drop(unhandled, event.promise);
  });
  const reported = (reason) => {
    let name = "", message = "", stack = "";
    try {
      if (typeof reason === "object" && reason !== null && isMadeFrom(errorBase, reason)) {
        name = textOf(reason.name);
        message = textOf(reason.message);
        stack = textOf(reason.stack);
      } else {
        message = `threw ${plainOf(2000)(reason).text}`;
      }
    } catch {
      message = "threw something unreadable";
    }
    return [slice(name, 0, 100), slice(message, 0, 4000), slice(stack, 0, 8000)];
  };
  const end = (error) => {
    if (isEnded) return;
    isEnded = true;
    const result = plainOf(valueChars)(value);
    if (result.isCut) note("the returned value was too long and is cut; return less, or print");
    if (result.isCyclic) note("the returned value refers to itself, where it says [cyclic]");
    const told = [];
    eachIn(notes, (text) => defineProperty(told, told.length, own(text)));
    send(["end", result.text, error, told]);
  };
  const firstUnhandled = () => {
    let first = null;
    eachOf(unhandled, (reason) => {
      first ??= reported(reason);
    });
    return first;
  };
  const conclude = () => {
    if (sizeOf(waiting) === 0) end(state === "failed" ? reported(thrown) : firstUnhandled());
  };
  const check = () => {
    if (isEnded || sizeOf(waiting) > 0) return;
    // Unhandled rejections are told in a task of their own, after the one that made them.
    if (state !== "running") return later(conclude, 0);
    const before = asked;
    later(() => {
      if (state !== "running" || asked !== before || isEnded) return;
      const stuck = "the script waits for something that never comes: only methods of `app` take time here";
      end(firstUnhandled() ?? ["", stuck, ""]);
    }, GRACE);
  };
  const turn = () => later(check, 0);
  const run = async (make, isExpression) => {
    const made = await make();
    return isExpression && typeof made === "function" ? await made(app) : made;
  };
  const start = async (make, isExpression) => {
    try {
      value = await run(make, isExpression);
      state = "done";
    } catch (error) {
      thrown = error;
      state = "failed";
    }
    const left = sizeOf(waiting);
    if (left) note(`calls that the script did not await (${left} or more) were done before it ended`);
    turn();
  };

  // --- nothing but the language

  const kept = new Names(LANGUAGE);
  const given = { __proto__: null };
  for (const name of LANGUAGE) if (name in globalThis) given[name] = globalThis[name];
  for (let owner = globalThis; owner !== Object.prototype; owner = getPrototypeOf(owner)) {
    for (const key of ownKeys(owner)) {
      if (owner === globalThis && isIn(kept, key)) continue;
      if (typeof getOwnPropertyDescriptor(owner, key).value === "number") continue; // a constant
      delete owner[key]; // throws where it cannot, and then no script runs
    }
  }
  for (const name of LANGUAGE) {
    if (!(name in globalThis) && name in given) defineProperty(globalThis, name, hidden(given[name]));
  }
  for (const [advice, all] of MISSING) {
    for (const name of all.trim().split(/\s+/)) {
      const refuse = () => forbid(`${name} is not available: ${advice}`);
      const trap = { __proto__: null, get: refuse, set: refuse, has: refuse, apply: refuse, construct: refuse };
      defineProperty(globalThis, name, hidden(new Proxy(function () {}, trap)));
    }
  }
  globalThis.print = print;
  globalThis.console = freeze(written);
  defineProperty(globalThis, "app", { __proto__: null, get: () => app, set: unchanging, configurable: false });
  Error.stackTraceLimit = 50;
  return (make, isExpression) => {
    start(make, isExpression);
    turn();
  };
}

// Keeps references where an app draws the same things anew: an element that replaced another takes over its
// reference if it is the same thing to a person. In doubt a reference is gone; it never passes to something
// else. Runs in the isolated world, after observe.js.
() => {
  const observer = globalThis.appbenchObserver;
  const {
    attributesOf, childrenOf, clip, elements, firstChild, gistOf, hostOrParent, isConnected, localName, nextSibling, nodeType, references, rootElement,
  } = observer.parts;

  const MOST_ELEMENTS = 4000;
  const LONG = 200;
  const IDENTITY = ["id", "name", "type", "for", "href", "role", "alt", "title", "placeholder", "aria-label"];
  const NAMED = new Set(["button", "a", "input", "select", "textarea", "summary", "canvas"]);

  const identityOf = (element) => {
    const kept = [...attributesOf(element)].filter(({ name }) => IDENTITY.includes(name) || name.startsWith("data-"));
    return [localName(element), ...kept.map(({ name, value }) => `${name}=${value}`)].join("|");
  };
  // The texts in an element, apart from each other; of a long one no more than shows that it is long.
  const textOf = (element) => {
    let text = "";
    const enter = (node) => {
      for (let child = firstChild(node); child && text.length <= LONG; child = nextSibling(child)) {
        if (nodeType(child) === 3) text += ` ${clip(child.data, LONG)}`;
        else if (nodeType(child) === 1) enter(child);
      }
    };
    enter(element);
    return text.replace(/\s+/g, " ").trim();
  };
  // The text of the row, card or group that an element stands in, if that is small.
  const rowOf = (element, own) => {
    let node = hostOrParent(element);
    for (let level = 0; node && level < 6; level++, node = hostOrParent(node)) {
      const text = textOf(node);
      if (text !== own) return text.length < LONG ? text : "";
    }
    return "";
  };
  const keyOf = (element) => {
    const own = textOf(element);
    return { identity: identityOf(element), own, row: rowOf(element, own) };
  };
  const selfOf = (key) => `${key.identity}\n${key.own}`;
  const wholeOf = (key) => `${selfOf(key)}\n${key.row}`;

  // All elements of some tags, by what they are, with and without the row they stand in.
  const scan = (tags) => {
    const byWhole = new Map(), bySelf = new Map(), keys = new Map();
    const add = (map, name, element) => (map.get(name) ?? map.set(name, []).get(name)).push(element);
    const enter = (element) => {
      if (tags.has(localName(element)) && keys.size < MOST_ELEMENTS) {
        const key = keyOf(element);
        keys.set(element, key);
        add(byWhole, wholeOf(key), element);
        add(bySelf, selfOf(key), element);
      }
      for (const child of childrenOf(element)) enter(child);
    };
    if (rootElement(document)) enter(rootElement(document));
    return { byWhole, bySelf, keys, isWhole: keys.size < MOST_ELEMENTS };
  };
  const placeIn = (parent, element) => {
    const alike = childrenOf(parent).filter((child) => localName(child) === localName(element));
    return { index: alike.indexOf(element), count: alike.length };
  };
  const chainOf = (element, places) => {
    const chain = [];
    for (let node = element, parent; (parent = hostOrParent(node)); node = parent) {
      if (!places.has(node)) places.set(node, placeIn(parent, node));
      chain.push({ node, tag: localName(node), ...places.get(node) });
    }
    return chain;
  };

  const records = new Map();
  const gone = new Map();
  let isStale = true;
  const watcher = new MutationObserver(() => { isStale = true; });
  const watch = { subtree: true, childList: true, characterData: true, attributes: true };

  // What every referenced element is like now, to know it again when it was drawn anew.
  const census = () => {
    const live = [];
    for (const [reference, weak] of elements) {
      const element = weak.deref();
      if (element && isConnected(element)) live.push([reference, element]);
    }
    if (watcher.takeRecords().length) isStale = true;
    if (!isStale && live.every(([reference]) => records.has(reference))) return;
    const found = scan(new Set(live.map(([, element]) => localName(element))));
    const places = new Map();
    for (const [reference, element] of live) {
      const key = found.keys.get(element);
      if (!key) continue;
      const twins = found.byWhole.get(wholeOf(key));
      records.set(reference, {
        ...key, tag: localName(element), twins: twins.length, rank: twins.indexOf(element),
        isOnly: found.isWhole && found.bySelf.get(selfOf(key)).length === 1, chain: chainOf(element, places),
      });
    }
    // Frames and shadow roots are not watched: with them it is never fresh.
    isStale = live.some(([, element]) => !document.contains(element));
    watcher.observe(document, watch);
  };

  const isFree = (element) => element && !references.has(element);
  // Whatever stands now where the record's element stood; `isExact` if as many stand beside it as before.
  const inPlaceOf = (record) => {
    const depth = record.chain.findIndex(({ node }) => isConnected(node));
    if (depth < 1) return { element: null, isExact: false };
    let element = record.chain[depth].node, isExact = true;
    for (const { tag, index, count } of record.chain.slice(0, depth).reverse()) {
      const alike = childrenOf(element).filter((child) => localName(child) === tag);
      isExact &&= alike.length === count;
      element = alike[index];
      if (!element) return { element: null, isExact: false };
    }
    return { element, isExact };
  };
  const sameThing = (record, found) => {
    const twins = found.byWhole.get(wholeOf(record)) ?? [];
    if (twins.length === record.twins && isFree(twins[record.rank])) return twins[record.rank];
    const isNamed = NAMED.has(record.tag) || gistOf(record.own) !== "";
    if (!isNamed || !record.isOnly || !found.isWhole) return null;
    const [only, ...others] = found.bySelf.get(selfOf(record)) ?? [];
    return !others.length && isFree(only) ? only : null;
  };
  const samePlace = (record) => {
    const { element, isExact } = inPlaceOf(record);
    if (!isExact || !isFree(element)) return null;
    const key = keyOf(element);
    const isSame = key.identity === record.identity && gistOf(key.own) === gistOf(record.own) && gistOf(key.row) === gistOf(record.row);
    return isSame ? element : null;
  };
  const take = (reference, element) => {
    references.set(element, reference);
    elements.set(reference, new WeakRef(element));
  };
  // Gives the references of elements that are gone to what they were drawn anew as, or to nothing, for good.
  const adopt = () => {
    let lost = [...records].filter(([reference]) => {
      const element = elements.get(reference)?.deref();
      return !element || !isConnected(element);
    });
    if (!lost.length) return;
    const found = scan(new Set(lost.map(([, record]) => record.tag)));
    for (const search of [(record) => sameThing(record, found), samePlace]) {
      lost = lost.filter(([reference, record]) => {
        const element = search(record);
        if (element) take(reference, element);
        return !element;
      });
    }
    for (const [reference, record] of lost) {
      records.delete(reference);
      elements.delete(reference);
      gone.set(reference, record);
      if (gone.size > 200) gone.delete(gone.keys().next().value);
    }
  };
  // What a reference that is gone stood for, and what stands there now.
  const whatWas = (reference) => {
    const record = gone.get(reference);
    return record && { tag: record.tag, text: record.own, now: inPlaceOf(record).element };
  };

  // What changed is told by the references that things have now.
  const { changes } = observer;
  observer.changes = (options) => {
    adopt();
    return changes(options);
  };
  Object.assign(observer.parts, { census, adopt, whatWas });
  return true;
}

// What the pages and workers share. `targets` holds `ports` (vector to port) and `hosts` (the names
// to try); every address names its vector, so that a listener can tell what reached it.
const address = (vector, host, scheme = 'http') =>
  `${scheme}://${host}:${targets.ports[vector]}/${vector}`

const underWay = []
const keep = (promise) => { if (promise?.catch) underWay.push(promise.catch(() => {})) }

/** Try a vector with the hosts given: what throws was refused, which is an answer too. */
const attempt = (vector, hosts, use, scheme) => {
  for (const host of hosts) {
    try { keep(use(address(vector, host, scheme), host)) } catch {}
  }
}
const everywhere = (vector, use, scheme) => attempt(vector, targets.hosts, use, scheme)

/** For what is costly, such as a window: the first host, and another one for each vector. */
let turn = 0
const somewhere = (vector, use, scheme) => {
  turn = turn % (targets.hosts.length - 1) + 1
  attempt(vector, [targets.hosts[0], targets.hosts[turn]], use, scheme)
}

const fromWorker = (kind) => {
  everywhere(`${kind}-fetch`, (url) => fetch(url, {mode: 'no-cors'}))
  everywhere(`${kind}-websocket`, (url) => { new WebSocket(url) }, 'ws')
  everywhere(`${kind}-import-scripts`, (url) => importScripts(url))
}

// For pages.
const add = (tag, attributes) => {
  const element = Object.assign(document.createElement(tag), attributes)
  document.body.append(element)
  return element
}
const frame = (html) => { add('iframe', {srcdoc: html}) }
const allTried = () => Promise.all(underWay).then(() => { document.title = 'tried' })

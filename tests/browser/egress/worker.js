importScripts('targets.js', 'try.js')
fromWorker('worker')
everywhere('worker-event-source', (url) => { new EventSource(url) })
everywhere('worker-nested', (url) => {
  new Worker(URL.createObjectURL(new Blob([`fetch('${url}').catch(() => {})`])))
})

importScripts('targets.js', 'try.js')
everywhere('service-worker-install', (url) => importScripts(url))

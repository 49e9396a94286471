importScripts('targets.js', 'try.js')
fromWorker('shared-worker')

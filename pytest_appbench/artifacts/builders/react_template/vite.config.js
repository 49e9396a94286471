// The configuration of every React build. An app brings sources only: nothing it writes is read as
// configuration, and it may import its own files and the packages that package.json names.
import { readFileSync, realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'

const root = realpathSync(fileURLToPath(new URL('.', import.meta.url))).replace(/[\\/]$/, '')
const installed = realpathSync(`${root}/node_modules`)
const allowed = Object.keys(JSON.parse(readFileSync(`${root}/package.json`, 'utf8')).dependencies)

const isBelow = (path, folder) => path === folder || path.startsWith(folder + sep) || path.startsWith(folder + '/')
const packageOf = (id) => id.split('/').slice(0, id.startsWith('@') ? 2 : 1).join('/')
const short = (path) => (isBelow(path, root) ? path.slice(root.length + 1) : path)

function onlyWhatIsAllowed() {
  const refused = new Map()
  const refuse = (what, importer) => {
    refused.set(what, (refused.get(what) ?? new Set()).add(short(importer)))
    return { id: `\0refused:${what}`, syntheticNamedExports: true }
  }
  return {
    name: 'appbench:only-what-is-allowed',
    enforce: 'pre',
    async resolveId(source, importer) {
      const from = importer?.split('?')[0]
      if (!from || from.startsWith('\0') || isBelow(from, installed) || source.startsWith('\0')) return null
      if (/^(data|https?):|^\/\//.test(source)) return null
      const path = source.split('?')[0]
      const isBare = !/^[./#]|^[A-Za-z]:[\\/]/.test(path)
      if (isBare && !/^(vite\/|@oxc-project\/runtime\/)/.test(path)) {
        return allowed.includes(packageOf(path)) ? null : refuse(`"${packageOf(path)}"`, from)
      }
      const found = await this.resolve(source, importer, { skipSelf: true })
      const id = found?.id.split('?')[0]
      if (!id || !/^([/]|[A-Za-z]:)/.test(id)) return found
      const place = isBelow(id, root) && !isBelow(id, `${root}/node_modules`)
      return place || (isBare && isBelow(id, installed)) ? found : refuse(`the file ${path}`, from)
    },
    load(id) {
      return id.startsWith('\0refused:') ? 'export default {}' : null
    },
    buildEnd() {
      if (!refused.size) return
      const told = [...refused].sort().map(([what, files]) => `${what} (in ${[...files].slice(0, 5).join(', ')})`)
      const known = allowed.join(', ')
      this.error(`imports that are not available: ${told.slice(0, 20).join('; ')}. An app may import its own files and: ${known}`)
    },
  }
}

export default {
  base: './',
  envDir: false,
  plugins: [onlyWhatIsAllowed(), react()],
  resolve: { alias: { '@': `${root}/src` } },
  css: { postcss: { plugins: [] } },
  build: { outDir: 'dist', reportCompressedSize: false },
}

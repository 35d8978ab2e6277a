import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Manifest, Plugin } from 'vite'

const WAKE = 'virtual:island/'
const RUNTIME = 'app/platform/islands/runtime.ts'

/**
 * Builds each `*.island.tsx` as a separate entry, and gives its component, on the server, the address of that entry.
 * A page imports the component as usual; `<Island>` reads the address from it. An `*.island.ts` is a function without React;
 * `<Behaviour>` reads the address from that.
 */
export function islands(): Plugin {
  let root = process.cwd()
  let clientDir = ''
  let building = false

  return {
    name: 'winnow:islands',
    enforce: 'post',
    configResolved(config) {
      root = config.root
      building = config.command === 'build'
      clientDir = path.resolve(root, config.environments['client']?.build.outDir ?? 'build/client')
    },
    buildStart() {
      if (!building || this.environment.name !== 'client') return
      this.emitFile({ type: 'chunk', id: path.join(root, RUNTIME), name: 'islands' })
      for (const file of globSync('app/**/*.island.{ts,tsx}', { cwd: root })) {
        this.emitFile({ type: 'chunk', id: WAKE + file, name: path.parse(file).name })
      }
    },
    resolveId(id) {
      return id.startsWith(WAKE) ? `\0${id}` : undefined
    },
    load(id) {
      if (!id.startsWith(`\0${WAKE}`)) return undefined
      const file = id.slice(WAKE.length + 1)
      if (file.endsWith('.ts')) return behaviourOf(file)
      // React's hot reload must load before the first component.
      const preamble = building ? '' : "import 'virtual:react-router/inject-hmr-runtime'\n"
      return `${preamble}import { wake } from '/app/platform/islands/hydrate.ts'
import * as island from '/${file}'
export default (element) => wake(element, island[element.dataset.name])`
    },
    transform(code, id) {
      if (this.environment.name !== 'ssr') return undefined
      const file = path.relative(root, id)
      if (file === 'app/platform/islands/island.tsx') {
        return { code: code.replace(/\{\s*src:\s*['"]ISLAND_RUNTIME['"]\s*\}/, JSON.stringify(runtime())), map: null }
      }
      if (!/\.island\.tsx?$/.test(file)) return undefined
      const place = JSON.stringify(address(WAKE + file))
      const names = [...code.matchAll(/export function (\w+)/g)].map(([, name]) => name)
      const addresses = names.map((name) => `\n${name}.island = { name: '${name}', ...${place} }`)
      // The lines before keep their places.
      return { code: code + addresses.join(''), map: null }
    },
  }

  /** The address of the runtime and, from the build, its hash: a page that is cached somewhere on the way runs no other text in its place. */
  function runtime(): { src: string; integrity?: string } {
    const { url } = address(RUNTIME)
    if (!building) return { src: url }
    const hash = createHash('sha384').update(readFileSync(path.join(clientDir, url)))
    return { src: url, integrity: `sha384-${hash.digest('base64')}` }
  }

  /** The address of an entry, and of the modules that it loads next. */
  function address(entry: string): { url: string; preload: string[] } {
    if (!building) return { url: entry.startsWith(WAKE) ? `/@id/__x00__${entry}` : `/${entry}`, preload: [] }
    const manifest: Manifest = JSON.parse(readFileSync(path.join(clientDir, '.vite/manifest.json'), 'utf8'))
    const chunk = manifest[entry]
    if (!chunk) throw new Error(`No chunk was built for ${entry}`)
    return {
      url: `/${chunk.file}`,
      preload: [...importsOf(manifest, entry)].flatMap((name) => manifest[name]?.file ?? []).map((file) => `/${file}`),
    }
  }
}

function behaviourOf(file: string): string {
  return `import * as behaviours from '/${file}'
export default (element) => {
  behaviours[element.dataset.name](element)
  element.dataset.awake = 'yes'
}`
}

/** All direct and indirect imports of an entry. */
function importsOf(manifest: Manifest, entry: string, found = new Set<string>()): Set<string> {
  for (const name of manifest[entry]?.imports ?? []) {
    if (!found.has(name)) importsOf(manifest, name, found.add(name))
  }
  return found
}

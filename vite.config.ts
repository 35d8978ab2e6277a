import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import path from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import packageJson from './package.json' with { type: 'json' }
import { islands } from './scripts/islands.ts'
import { precompress } from './scripts/precompress.ts'

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), islands(), precompress(), oneBundle(), renderWorker()],
})

/** All code of the server, and of the packages that need not be installed where it runs, in one bundle. While developing, Node loads packages. */
function oneBundle(): Plugin {
  const ssr = {
    resolve: { noExternal: true as const, external: Object.keys(packageJson.dependencies) },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { rolldownOptions: { input: 'app/server.ts' } },
  }
  return { name: 'winnow:one-bundle', apply: 'build', config: () => ({ environments: { ssr } }) }
}

/** The thread in which texts are rendered begins with a file of its own. What it shares with the server is not built twice. */
function renderWorker(): Plugin {
  return {
    name: 'winnow:render-worker',
    apply: 'build',
    buildStart() {
      if (this.environment.name !== 'ssr') return
      this.emitFile({ type: 'chunk', id: path.resolve('app/markdown/render-worker.server.ts'), fileName: 'render-worker.js' })
    },
  }
}

import * as build from 'virtual:react-router/server-build'
import type { ServerBuild } from 'react-router'
import { describe, expect, test } from 'vitest'
import { createHttp } from '#app/platform/http/http.server.ts'
import { PageCache } from '#app/platform/page-cache/page-cache.server.ts'
import { pages } from '#app/platform/page-cache/pages.server.ts'
import { startApp } from '#test/app.ts'
import { signIn } from '#test/factories.ts'
import { readPageAccess } from './page-access.server.ts'

await startApp()

describe('a new page', () => {
  const parentId = 'account/session/workspace.layout'
  const withPage = (module: object): ServerBuild => ({
    ...build,
    routes: { ...build.routes, takings: { id: 'takings', path: 'takings', parentId, module: { default: () => null, ...module } } },
  })

  test('that does not say who may open it keeps the product from starting', () => {
    expect(() => readPageAccess(withPage({}))).toThrow('The route takings does not say who may open it.')
    expect(() => readPageAccess(withPage({ handle: { access: 'leads.raed' } }))).toThrow('takings')
  })

  test('whose loader asks nobody gives its data to no one but those it names', async () => {
    const forgetful = withPage({ handle: { access: 'leads.read' }, loader: () => ({ amount: 'a secret sum' }) })
    readPageAccess(forgetful)
    const http = createHttp()
    http.register(pages(forgetful, new PageCache()))
    for (const [headers, isOpen] of [
      [{}, false],
      [(await signIn('customer')).headers, false],
      [(await signIn('staff')).headers, true],
    ] as const) {
      for (const url of ['/takings.data', '/takings.data?_routes=takings', '/takings.data?_routes=root,takings']) {
        expect([url, (await http.inject({ url, headers })).body.includes('a secret sum')]).toEqual([url, isOpen])
      }
    }
    await http.close()
    readPageAccess(build)
  })
})

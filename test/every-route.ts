import routes from '#app/routes.ts'
import { listEndpoints } from './app.ts'

/** The pattern of every page, as `app/routes.ts` has it. */
export function listPages(entries: typeof routes = routes): string[] {
  return entries.flatMap(({ path, index, children = [] }) => [
    ...(path !== undefined && path !== '*' ? [`/${path}`] : index ? ['/'] : []),
    ...listPages(children),
  ])
}

/** Every endpoint for each of its methods. Handlers for all methods together only refuse. */
export async function listOperations() {
  const all = (await listEndpoints()).flatMap((route) => [route.method].flat().map((method) => ({ ...route, method })))
  return all.filter(({ url, method }) => method !== 'HEAD' && method !== 'OPTIONS' && !/^\/(api|auth\/v1|auth|assets)\/\*$/.test(url))
}

/** The address of a pattern with its parameters filled in. */
export function fill(pattern: string, valueOf: (name: string) => string): string {
  return pattern.replaceAll(/:(\w+)|\*/g, (_part, name: string | undefined) => valueOf(name ?? '*'))
}

/** The data address of a page. */
export function dataOf(page: string): string {
  return page === '/' ? '/_root.data' : `${page}.data`
}

import { generatePath, matchRoutes, type RouteObject, type ServerBuild } from 'react-router'
import { z } from 'zod'
import { hasOwnPage } from './page-cache.server.ts'

const cachePolicy = z.object({
  tags: z.array(z.string()).default([]),
  query: z.array(z.string()).default([]),
  unlessCookie: z.string().optional(),
  seconds: z.number().optional(),
  lateSeconds: z.number().optional(),
})
const declared = z.object({ cache: z.union([z.boolean(), cachePolicy]).optional() })
const refusedLast = z.object({ isRefusedLast: z.literal(true) })

export type CachePolicy = z.infer<typeof cachePolicy>

/** The caching rules of the routes, by address. */
export class PageRoutes {
  #routes: RouteObject[]

  constructor(build: ServerBuild) {
    this.#routes = childrenOf(build, undefined)
  }

  /** How the page of an anonymous visitor is cached; undefined when it is not, or when the address has an unusual spelling. */
  cachePolicyOf(url: string): CachePolicy | undefined {
    const [path = '', query] = url.split(/\?(.*)/s)
    const cachePolicy = this.#keepingAt(path)
    if (!cachePolicy || this.#ownPath(path) !== path) return undefined
    const asked = [...new URLSearchParams(query).keys()]
    // A bare `?` or `&` can be written in any number of ways, each of which would be a cache entry.
    const isPlain = query === undefined || (asked.length > 0 && asked.every((key) => cachePolicy.query.includes(key)))
    return isPlain ? cachePolicy : undefined
  }

  /** Whether the page at an address declares that it is the same for every anonymous visitor with these cookies, with any query. */
  isForEveryone(url: string, cookie?: string): boolean {
    const [path = ''] = url.split('?')
    const cachePolicy = this.#keepingAt(path)
    return cachePolicy !== undefined && !hasOwnPage(cachePolicy, cookie)
  }

  /** Whether posts to the page at an address must not be lost. */
  isRefusedLast(url: string): boolean {
    const [path = ''] = url.split('?')
    return matchRoutes(this.#routes, path)?.some(({ route }) => refusedLast.safeParse(route.handle).success) ?? false
  }

  /** The data of a page is for the browser that requests it. */
  #keepingAt(path: string): CachePolicy | undefined {
    if (path.endsWith('.data')) return undefined
    return cachePolicyIn(matchRoutes(this.#routes, path)?.map(({ route }) => route.handle) ?? [])
  }

  /**
   * The proper address of a page that was requested in another spelling: another case, percent-encoding, extra slashes, dots. It is built from
   * the route's own pattern, so it is never another site. Undefined where there is no page, and for the data of a page.
   */
  placeOf(url: string): string | undefined {
    const [path = '', query] = url.split(/\?(.*)/s)
    const own = path.endsWith('.data') ? undefined : this.#ownPath(path)
    if (own === undefined || (own === path && query !== '')) return undefined
    return query ? `${own}?${query}` : own
  }

  /** The pattern of the page at an address. */
  patternAt(url: string): string {
    const [path = ''] = url.split('?')
    return patternOf(matchRoutes(this.#routes, path.replace(/_?\.data$/, '')) ?? [{ route: { path: '*' } }])
  }

  /** The path as its route spells it. Pages are requested as a `URL`, which resolves the dots of a path. */
  #ownPath(path: string): string | undefined {
    const { pathname } = new URL(`http://localhost${path}`)
    const matches = matchRoutes(this.#routes, pathname.replaceAll(/\/{2,}/g, '/'))
    const leaf = matches?.at(-1)
    if (!matches || !leaf || leaf.route.path === '*') return undefined
    return generatePath(patternOf(matches), leaf.params)
  }

  /** The paths of all pages without parameters. */
  fixedPaths(): string[] {
    return pathsIn(this.#routes, '').filter((path) => !/[:*]/.test(path))
  }

  /** The patterns of all pages that are the same for every anonymous visitor. Files have no component. */
  cachedPatterns(): string[] {
    return patternsIn(this.#routes, '', [])
  }
}

function childrenOf(build: ServerBuild, parentId: string | undefined): RouteObject[] {
  return Object.values(build.routes).flatMap((route) => {
    if (!route || route.parentId !== parentId) return []
    const view = route.module.default
    const common = {
      id: route.id,
      handle: route.module.handle,
      ...(view && { Component: view }),
      ...(route.path !== undefined && { path: route.path }),
    }
    return route.index ? { ...common, index: true } : { ...common, children: childrenOf(build, route.id) }
  })
}

function pathsIn(routes: readonly RouteObject[], above: string): string[] {
  return routes.flatMap(({ path, children }) => {
    const here = path ? `${above}/${path}` : above
    return children?.length ? pathsIn(children, here) : [here || '/']
  })
}

function patternOf(matches: readonly { route: { path?: string | undefined } }[]): string {
  return `/${matches.flatMap(({ route }) => route.path || []).join('/')}`
}

function patternsIn(routes: readonly RouteObject[], above: string, handles: readonly unknown[]): string[] {
  return routes.flatMap((route) => {
    const here = route.path ? `${above}/${route.path}` : above
    const said = [...handles, route.handle]
    if (route.children?.length) return patternsIn(route.children, here, said)
    return route.Component && cachePolicyIn(said) ? [here || '/'] : []
  })
}

function cachePolicyIn(handles: readonly unknown[]): CachePolicy | undefined {
  const said = handles.map((handle) => declared.safeParse(handle).data?.cache).findLast((cache) => cache !== undefined)
  return said === true ? { tags: [], query: [] } : said || undefined
}

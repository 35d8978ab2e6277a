import { generatePath, matchRoutes, type RouteObject, type ServerBuild } from 'react-router'
import { z } from 'zod'

const keeping = z.object({ tags: z.array(z.string()).default([]), query: z.array(z.string()).default([]) })
const declared = z.object({ kept: z.union([z.boolean(), keeping]).optional() })

export type Keeping = { tags: readonly string[]; query: readonly string[] }

/** What the routes say of pages that may be kept, asked by address. */
export class PageRoutes {
  #routes: RouteObject[]

  constructor(build: ServerBuild) {
    this.#routes = childrenOf(build, undefined)
  }

  /** How a page is kept when a stranger asks for it in this way; nothing when it is not, or the address is written in an unusual way. */
  keepingOf(url: string): Keeping | undefined {
    const [path = '', query] = url.split(/\?(.*)/s)
    const keeping = this.#keepingAt(path)
    if (!keeping || this.#ownPath(path) !== path) return undefined
    const asked = [...new URLSearchParams(query).keys()]
    // A mark with nothing behind it can be written in any number of ways, each of which would be a page of its own.
    const isPlain = query === undefined || (asked.length > 0 && asked.every((key) => keeping.query.includes(key)))
    return isPlain ? keeping : undefined
  }

  /** Whether the page at an address declares that it is the same for every stranger, with any query. */
  isForEveryone(url: string): boolean {
    const [path = ''] = url.split('?')
    return this.#keepingAt(path) !== undefined
  }

  /** The data of a page is for the browser that asks for it. */
  #keepingAt(path: string): Keeping | undefined {
    if (path.endsWith('.data')) return undefined
    return keepingIn(matchRoutes(this.#routes, path)?.map(({ route }) => route.handle) ?? [])
  }

  /**
   * Where a page really lies that was asked for in another spelling: another case, letters written as numbers, slashes too many, dots. It is
   * put together from the page's own pattern, so it is never another site. Nothing for what no page answers, and for the data of a page.
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

  /** Its path as its route spells it. A page is asked for as a `URL`, which has read the dots of a path before anyone else does. */
  #ownPath(path: string): string | undefined {
    const { pathname } = new URL(`http://localhost${path}`)
    const matches = matchRoutes(this.#routes, pathname.replaceAll(/\/{2,}/g, '/'))
    const leaf = matches?.at(-1)
    if (!matches || !leaf || leaf.route.path === '*') return undefined
    return generatePath(patternOf(matches), leaf.params)
  }

  /** The paths of all pages that have only one. */
  fixedPaths(): string[] {
    return pathsIn(this.#routes, '').filter((path) => !/[:*]/.test(path))
  }

  /** The patterns of all pages that are the same for every stranger. A file has no view. */
  keptPatterns(): string[] {
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
    return route.Component && keepingIn(said) ? [here || '/'] : []
  })
}

function keepingIn(handles: readonly unknown[]): Keeping | undefined {
  const said = handles.map((handle) => declared.safeParse(handle).data?.kept).findLast((kept) => kept !== undefined)
  return said === true ? { tags: [], query: [] } : said || undefined
}

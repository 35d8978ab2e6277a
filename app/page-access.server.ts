import { createContext, type MiddlewareFunction, type RouterContextProvider, type ServerBuild } from 'react-router'
import { z } from 'zod'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import type { ShellData } from '#app/site/shell/shell-data.server.ts'
import { allow, allowPage, permissions } from './access.server.ts'

const declared = z.object({ access: z.enum(['public', ...permissions]), isExplained: z.boolean().default(false) })

type Access = z.infer<typeof declared>

/** What a page asks for, by its pattern: first what its layouts ask for. */
let asked: ReadonlyMap<string, readonly Access[]> = new Map()

/** Reads who may open each page. Fails for a route that does not say so: nothing is public by oversight. */
export function readPageAccess({ routes }: ServerBuild): void {
  const all = Object.values(routes).flatMap((route) => route ?? [])
  const parents = new Set(all.map(({ parentId }) => parentId))
  const around = (id: string | undefined): typeof all => all.flatMap((route) => (route.id === id ? [...around(route.parentId), route] : []))
  asked = new Map(
    all
      .filter(({ id }) => !parents.has(id))
      .map(({ id }) => {
        const chain = around(id)
        return [`/${chain.flatMap(({ path }) => path || []).join('/')}`, chain.map(accessOf)]
      }),
  )
}

function accessOf({ id, module }: { id: string; module: { handle?: unknown } }): Access {
  const found = declared.safeParse(module.handle)
  if (!found.success) throw new Error(`The route ${id} does not say who may open it. Add \`access\` to its \`handle\`.`)
  return found.data
}

/** What surrounds the page of a visitor who may not open it. */
export const shellContext = createContext<ShellData | null>(null)

type Viewer = { viewer: CurrentUser; isTheirs: boolean }

const viewerContext = createContext<Viewer>()

/**
 * Middleware of the root: asks for the permissions of the page and its layouts before any loader or action runs. A request for the data of a page
 * can leave out the loaders of its layouts, but not this.
 */
export const openPage: MiddlewareFunction<Response> = async ({ context, pattern }) => {
  const accesses = asked.get(pattern.replace(/^\/?/, '/'))
  if (!accesses) throw new Error(`The page ${pattern} is not among the pages whose access was read.`)
  for (const { access, isExplained } of accesses)
    if (access !== 'public') context.set(viewerContext, await viewerFor(context, access, isExplained))
}

async function viewerFor(context: Readonly<RouterContextProvider>, access: Exclude<Access['access'], 'public'>, isExplained: boolean) {
  const requestContext = requestContextOf(context)
  return isExplained ? allowPage(requestContext, access) : { viewer: await allow(requestContext, access), isTheirs: true }
}

/** The signed-in person who opens a page that is not public, and whether the page is for them. */
export function viewerOf(context: Readonly<RouterContextProvider>): Viewer {
  return context.get(viewerContext)
}

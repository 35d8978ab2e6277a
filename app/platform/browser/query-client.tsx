import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  type QueryClientConfig,
  QueryClientProvider,
  type QueryKey,
} from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { preload } from 'react-dom'
import { ApiError } from './api.ts'
import { onDataChanged } from './data-changed.ts'

/** When the newest load of a query began, its first one apart, in the time of `performance.now()`. */
const laterLoads = new WeakMap<Query, number>()

/** Whether a query's newest load began after a moment, so that it has each change until then, unless it failed. */
export function isLoadedSince(query: Query, moment: number): boolean {
  return query.state.status !== 'error' && (laterLoads.get(query) ?? 0) > moment
}

/** TanStack Query takes the response of a first load as current, even if the data changed during the load. Here it is loaded once more. */
class FreshQueryClient extends QueryClient {
  readonly #changedLoads = new WeakSet<Query>()

  constructor(config: QueryClientConfig) {
    super(config)
    // A first load may get the response that its document asked for when it began.
    this.getQueryCache().subscribe((event) => {
      const isLater = event.type === 'updated' && event.action.type === 'fetch' && event.query.state.data !== undefined
      if (isLater) laterLoads.set(event.query, performance.now())
    })
  }

  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const loads = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined)
    const others = super.invalidateQueries(filters, options)
    const again = async (load: Query) => {
      if (this.#changedLoads.has(load)) return
      this.#changedLoads.add(load)
      await load.promise?.catch(() => undefined)
      this.#changedLoads.delete(load)
      await super.invalidateQueries({ queryKey: load.queryKey, exact: true }, options)
    }
    await Promise.all([others, ...loads.map(again)])
  }
}

/**
 * The browser's cache of server data. It never goes stale automatically and refetches nothing without a reason: a change
 * invalidates it, in the document or as a live event. A failure is shown immediately, without a retry.
 */
export function createQueryClient(onSignedOut: (client: QueryClient) => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.status === 401) onSignedOut(client)
  }
  const client = new FreshQueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Without a network a request fails and says so: paused, it would wait silently for as long as the network is away.
      queries: { networkMode: 'always', refetchInterval: false, refetchOnWindowFocus: false, staleTime: Infinity, retry: false },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  if (import.meta.env.SSR) nameMissingData(client)
  return client
}

/** A document that is rendered without some data names its address, so that the response is on the way while the code still loads. */
function nameMissingData(client: QueryClient) {
  client.getQueryCache().subscribe(({ type, query: { queryKey, options, state } }) => {
    const [url, ...more] = queryKey
    if (type !== 'added' || typeof url !== 'string' || more.length > 0 || state.data !== undefined) return
    if ('enabled' in options && options.enabled === false) return
    preload(url, { as: 'fetch', crossOrigin: 'use-credentials' })
  })
}

/** Refetches the data that another part of the document announces as changed. Returns the function that ends it. */
export function followChanges(client: QueryClient): () => void {
  return onDataChanged((prefix) => {
    void client.invalidateQueries({ predicate: ({ queryKey: [url] }) => typeof url === 'string' && url.startsWith(prefix) })
  })
}

/** Around the signed-in area. `onSignedOut` is called when the server no longer knows the session. */
export function QueryProvider({ onSignedOut, children }: { onSignedOut: (client: QueryClient) => void; children: ReactNode }) {
  const [client] = useState(() => createQueryClient(onSignedOut))
  useEffect(() => followChanges(client), [client])
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

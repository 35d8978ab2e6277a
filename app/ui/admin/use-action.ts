import { type Query, type QueryClient, type QueryFilters, useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { isLoadedSince } from '#app/platform/browser/query-client.tsx'
import { type Toast, toast } from '#app/ui/toast.ts'
import { showFailure } from './tell-failure.ts'
import { undoButton } from './undo.tsx'

/** API data, by the beginnings of its URLs. */
export type ApiData = readonly string[] | RegExp

export type ActionOptions<Given, Answer> = {
  send: (given: Given) => Promise<Answer>
  /** The toast after a success. Without one, the page shows the change. */
  done?: string | ((answer: Answer, given: Given) => string | Toast | undefined)
  /** Takes the change back: the toast gets a button for it. */
  undo?: (answer: Answer, given: Given) => (() => Promise<unknown>) | undefined
  /** The title of the toast after a failure. */
  failed: string | ((given: Given) => string)
  /** The sentence when there was no answer. */
  unheard?: string
  /** The data that it changes. It is loaded again afterwards, also after a failure. */
  touches: ApiData
  /** Sends it after those of the same name that are on the way, and loads the data again after the last: before, they would undo it on the page. */
  line?: string
  /** Shows the change before the answer. Returns what takes it back after a failure. */
  expect?: (given: Given) => () => void
  /** Runs after a success, before the toast: closes the dialog, so that the toast is not in it. */
  onDone?: (answer: Answer, given: Given) => unknown
  /** Runs after a failure. Returns whether the failure is shown already, such as at a field. */
  onRefused?: (error: Error, given: Given) => boolean
}

/**
 * Every button that writes: it is busy immediately, success and failure are told, and what changed is loaded again. The second of two quick presses comes
 * before the button is busy: the same change as the newest one on its way is not sent again.
 */
export function useAction<Given = void, Answer = unknown>({
  send,
  failed,
  touches,
  expect,
  line,
  ...ways
}: ActionOptions<Given, Answer>): UseMutationResult<Answer, Error, Given, (() => void) | undefined> {
  const client = useQueryClient()
  const renew = async () => reload(client, touches)
  const renewAfterLast = async () => {
    if (!line || client.isMutating({ mutationKey: [line] }) <= 1) await renew()
  }
  const newest = useRef<{ given: Given | undefined }>(undefined)
  const mutation = useMutation({
    ...(line && { mutationKey: [line], scope: { id: line } }),
    mutationFn: send,
    onMutate: (given) => expect?.(given),
    async onSuccess(answer, given) {
      const after = ways.onDone?.(answer, given)
      const told = typeof ways.done === 'function' ? ways.done(answer, given) : ways.done
      const undo = ways.undo?.(answer, given)
      const button = undo && undoButton({ send: undo, renew })
      if (told) toast({ ...(typeof told === 'string' ? { title: told } : told), ...(button && { button }) })
      await Promise.all([after, renewAfterLast()])
    },
    async onError(error, given, takeBack) {
      takeBack?.()
      if (!ways.onRefused?.(error, given)) showFailure(typeof failed === 'function' ? failed(given) : failed, error, ways.unheard)
      // A form that was refused can be lost at once, and asks before it is: it must not count as being sent until the lists are there.
      void renewAfterLast()
    },
    onSettled(_answer, _error, given) {
      if (newest.current?.given === given) newest.current = undefined
    },
  })
  const mutate: typeof mutation.mutate = (...args) => {
    const [given] = args
    if (newest.current && isSame(newest.current.given, given)) return
    newest.current = { given }
    mutation.mutate(...args)
  }
  return { ...mutation, mutate }
}

/** Functions in a change do its rest on the page, so they make no difference. A file is the same only as itself. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other || (typeof one === 'function' && typeof other === 'function')) return true
  if (!isPlain(one) || !isPlain(other) || Array.isArray(one) !== Array.isArray(other)) return false
  const [names, others] = [Object.keys(one), Object.keys(other)]
  return names.length === others.length && names.every((name) => isSame(Reflect.get(one, name), Reflect.get(other, name)))
}

function isPlain(value: unknown): value is object {
  return Array.isArray(value) || (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
}

/** For `expect`: shows loaded data as it will be. */
export function expectData<Data>(client: QueryClient, of: QueryFilters, change: (data: Data) => Data): () => void {
  const before = client.getQueriesData<Data>(of)
  client.setQueriesData<Data>(of, (data) => data && change(data))
  return () => {
    for (const [key, data] of before) client.setQueryData(key, data)
  }
}

/** Loads data again. With the moment of a change, only data that was loaded before it. */
export function reload(client: QueryClient, data: ApiData, changedAt = Infinity): Promise<void> {
  const isOf = (url: string) => (data instanceof RegExp ? data.test(url) : data.some((beginning) => url.startsWith(beginning)))
  const isOld = (query: Query) => typeof query.queryKey[0] === 'string' && isOf(query.queryKey[0]) && !isLoadedSince(query, changedAt)
  return client.invalidateQueries({ predicate: isOld })
}

/** The most items that a bulk change of our API takes. */
const MOST = 200

/** Sends a bulk change in as many requests as it needs, one after the other. */
export async function inParts<Item, Result>(items: readonly Item[], send: (part: Item[]) => Promise<readonly Result[]>): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += MOST) results.push(...(await send(items.slice(at, at + MOST))))
  return results
}

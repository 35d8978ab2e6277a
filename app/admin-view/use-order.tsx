import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { beforeAt, type Move, moved, type Ordered } from './order.ts'

type Sent = Move & { /** All of the list as it then stands. */ ids: string[] }

type OrderOf<Item> = {
  list: readonly Item[]
  /** Where the list is read. */
  url: string
  nameOf: (item: Item) => string
  /** A sentence on what the first one is first in. */
  meaning: string
  send: (move: Sent) => Promise<unknown>
  onFailure: (error: Error) => void
  askAgain: () => Promise<unknown>
}

export type Order = Pick<ReturnType<typeof useOrder>, 'meaning' | 'said' | 'move' | 'after' | 'moveTo'>

/** Another order of the list: shown at once, taken back when the server refuses it. `said` is for those who do not see it. */
export function useOrder<Item extends Ordered>({ list, url, nameOf, meaning, send, onFailure, askAgain }: OrderOf<Item>) {
  const client = useQueryClient()
  const [said, setSaid] = useState('')
  const change = useMutation({
    // One after the other, each on what the one before it has made.
    scope: { id: `${url}/order` },
    mutationFn: send,
    onError(error) {
      setSaid('The order has not changed.')
      onFailure(error)
    },
    onSettled: async () => {
      if (client.isMutating() === 1) await askAgain()
    },
  })
  const move = (to: Move) => {
    const next = moved(list, to)
    const place = next.findIndex(({ id }) => id === to.id)
    const item = next[place]
    if (!item || list[place]?.id === to.id) return
    client.setQueryData<Item[]>([url], (known) => known && moved(known, to))
    setSaid(`${nameOf(item)} is now number ${place + 1} of ${next.length}.`)
    change.mutate({ ...to, ids: next.map(({ id }) => id) })
  }
  const places = new Map(list.map(({ id }, at) => [id, at]))
  /** The one that comes next after another one, in the whole list. */
  const after = (id: string) => list[(places.get(id) ?? list.length) + 1]?.id
  return { meaning, said, move, after, moveTo: (id: string, place: number) => move({ id, before: beforeAt(list, id, place) }) }
}

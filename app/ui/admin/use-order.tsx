import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { beforeAt, type Move, moved, type Ordered } from './order.ts'

type Sent = Move & { /** The whole list after the move. */ ids: string[] }

type OrderOf<Item> = {
  list: readonly Item[]
  /** The API URL of the list. */
  url: string
  nameOf: (item: Item) => string
  /** A sentence on the meaning of the order. */
  meaning: string
  send: (move: Sent) => Promise<unknown>
  onFailure: (error: Error) => void
  askAgain: () => Promise<unknown>
}

export type RowOrder = Pick<ReturnType<typeof useOrder>, 'meaning' | 'said' | 'move' | 'after' | 'moveTo' | 'place'>

/** Reorders the list optimistically and rolls back when the server refuses. `said` is for screen readers. */
export function useOrder<Item extends Ordered>({ list, url, nameOf, meaning, send, onFailure, askAgain }: OrderOf<Item>) {
  const client = useQueryClient()
  const [said, setSaid] = useState('')
  const change = useMutation({
    // One after the other, because each change builds on the one before.
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
  /** The next item in the whole list. */
  const after = (id: string) => list[(places.get(id) ?? list.length) + 1]?.id
  /** Its position in the whole list, from 1. */
  const place = (id: string) => (places.get(id) ?? -1) + 1
  return { meaning, said, move, after, place, moveTo: (id: string, place: number) => move({ id, before: beforeAt(list, id, place) }) }
}

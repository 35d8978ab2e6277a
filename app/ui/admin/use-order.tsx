import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { movedWords } from './drag-words.ts'
import { beforeAt, type Move, moved, type Ordered } from './order.ts'
import { type ApiData, useAction } from './use-action.ts'

type Sent = Move & {
  /** The whole list after the move. */
  ids: string[]
}

type OrderOf<Item> = {
  list: readonly Item[]
  /** The API URL of the list. */
  url: string
  nameOf: (item: Item) => string
  /** A sentence on the meaning of the order. */
  meaning: string
  send: (move: Sent) => Promise<unknown>
  touches: ApiData
}

export type RowOrder = Pick<ReturnType<typeof useOrder>, 'meaning' | 'said' | 'move' | 'after' | 'moveTo' | 'place'>

/** Shows the new order at once, and loads the stored one afterwards. `said` is for screen readers. */
export function useOrder<Item extends Ordered>({ list, url, nameOf, meaning, send, touches }: OrderOf<Item>) {
  const client = useQueryClient()
  const [said, setSaid] = useState('')
  const change = useAction({
    // One after the other, because each change builds on the one before.
    line: `${url}/order`,
    send: async ({ sent }: { sent: Sent; back: Move }) => send(sent),
    done: (_answer, { sent: { id, ids } }) => `Moved to number ${ids.indexOf(id) + 1}`,
    undo:
      (_answer, { back }) =>
      async () =>
        send({ ...back, ids: idsOf(moved(client.getQueryData<Item[]>([url]) ?? [], back)) }),
    failed: 'Order not changed',
    onRefused() {
      setSaid('The order has not changed.')
      return false
    },
    touches,
  })
  const places = new Map(list.map(({ id }, at) => [id, at]))
  /** The next item in the whole list. */
  const after = (id: string) => list[(places.get(id) ?? list.length) + 1]?.id
  const move = (to: Move) => {
    const next = moved(list, to)
    const place = next.findIndex(({ id }) => id === to.id)
    const item = next[place]
    if (!item || list[place]?.id === to.id) return
    // Not in `expect`: the next key may come before it.
    client.setQueryData<Item[]>([url], (known) => known && moved(known, to))
    setSaid(movedWords(nameOf(item), place + 1, next.length))
    change.mutate({ sent: { ...to, ids: idsOf(next) }, back: { id: to.id, before: after(to.id) ?? null } })
  }
  /** Its position in the whole list, from 1. */
  const place = (id: string) => (places.get(id) ?? -1) + 1
  return { meaning, said, move, after, place, moveTo: (id: string, place: number) => move({ id, before: beforeAt(list, id, place) }) }
}

const idsOf = (list: readonly Ordered[]) => list.map(({ id }) => id)

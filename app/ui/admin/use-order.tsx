import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { toast } from '#app/ui/toast.ts'
import { movedWords } from './drag-words.ts'
import { UndoButton } from './undo-button.tsx'
import { beforeAt, type Move, moved, type Ordered } from './order.ts'

type Sent = Move & {
  /** The whole list after the move. */
  ids: string[]
  /** The move back. */
  undo?: Move
}

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
    onSuccess: (_nothing, { id, ids, undo }) =>
      toast({
        title: `Moved to number ${ids.indexOf(id) + 1}`,
        ...(undo && { button: <UndoButton undo={() => latest.current(undo, { isUndo: true })} /> }),
      }),
    onError(error) {
      setSaid('The order has not changed.')
      onFailure(error)
    },
    onSettled: async () => {
      if (client.isMutating() === 1) await askAgain()
    },
  })
  const places = new Map(list.map(({ id }, at) => [id, at]))
  /** The next item in the whole list. */
  const after = (id: string) => list[(places.get(id) ?? list.length) + 1]?.id
  const move = (to: Move, { isUndo = false } = {}) => {
    const next = moved(list, to)
    const place = next.findIndex(({ id }) => id === to.id)
    const item = next[place]
    if (!item || list[place]?.id === to.id) return
    client.setQueryData<Item[]>([url], (known) => known && moved(known, to))
    setSaid(movedWords(nameOf(item), place + 1, next.length))
    const undo = { id: to.id, before: after(to.id) ?? null }
    change.mutate({ ...to, ids: next.map(({ id }) => id), ...(!isUndo && { undo }) })
  }
  // The undo is of the list at that time.
  const latest = useRef(move)
  useEffect(() => {
    latest.current = move
  })
  /** Its position in the whole list, from 1. */
  const place = (id: string) => (places.get(id) ?? -1) + 1
  return { meaning, said, move, after, place, moveTo: (id: string, place: number) => move({ id, before: beforeAt(list, id, place) }) }
}

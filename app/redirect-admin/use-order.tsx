import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiRequest } from '#app/platform/api.ts'
import { type Redirect, REDIRECTS } from '#app/redirects/redirect.ts'
import { askAgain, tellFailure } from '#app/redirect-import/redirect-answers.ts'
import { beforeAt, moved } from './redirect-view.ts'

type Move = { id: string; /** The one that it goes before; null for the end. */ before: string | null }

export type Order = ReturnType<typeof useOrder>

/** Another order of the list: shown at once, taken back when the server refuses it. `said` is for those who do not see it. */
export function useOrder(list: readonly Redirect[]) {
  const client = useQueryClient()
  const [said, setSaid] = useState('')
  const change = useMutation({
    // One after the other, each on what the one before it has made.
    scope: { id: 'redirects.order' },
    mutationFn: async (move: Move) => apiRequest('PATCH', `${REDIRECTS}/order`, move),
    onError(error) {
      setSaid('The order has not changed.')
      tellFailure('Order not changed', error)
    },
    onSettled: async () => {
      if (client.isMutating() === 1) await askAgain(client)
    },
  })
  const move = ({ id, before }: Move) => {
    const next = moved(list, id, before)
    const place = next.findIndex((one) => one.id === id)
    if (place < 0 || list[place]?.id === id) return
    client.setQueryData<Redirect[]>([REDIRECTS], (known) => known && moved(known, id, before))
    setSaid(`${next[place]?.fromPath ?? ''} is now number ${place + 1} of ${next.length}.`)
    change.mutate({ id, before })
  }
  const places = new Map(list.map(({ id }, at) => [id, at]))
  /** The one that is tried next after another one, in the whole list. */
  const after = (id: string) => list[(places.get(id) ?? list.length) + 1]?.id
  return { said, move, after, moveTo: (id: string, place: number) => move({ id, before: beforeAt(list, id, place) }) }
}

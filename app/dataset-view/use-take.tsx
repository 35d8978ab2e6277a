import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { restoreSession } from '#app/auth-client/auth.ts'
import { OWN_DOWNLOADS } from '#app/datasets/addresses.ts'
import { toast } from '#app/ui/toast.ts'
import { openTaken } from './open-taken.ts'
import { afterFailure, BEING_MADE, DOWNLOAD_STARTED, isSignedOut, takeProduct, type Wish } from './taking.ts'

/** Takes a product: opens it, says so, and asks again what was downloaded (row 134). */
export function useTake(id: string) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (wish: Wish) => takeOrResume(id, wish),
    async onSuccess(url) {
      if (url) openTaken(url)
      toast(DOWNLOAD_STARTED)
      await client.invalidateQueries({ queryKey: [OWN_DOWNLOADS] })
    },
    onError(error) {
      const next = afterFailure(error)
      if (!next) return
      if ('goTo' in next) void navigate(next.goTo)
      else toast(next.tell)
    },
  })
}

/** A browser that slept too long is signed in again without a word, and what was pressed is done. */
async function takeOrResume(id: string, wish: Wish): Promise<string | undefined> {
  try {
    return await takeProduct(id, wish, tellMaking)
  } catch (error) {
    if (!isSignedOut(error) || !(await restoreSession().catch(() => false))) throw error
    return takeProduct(id, wish, tellMaking)
  }
}

const tellMaking = () => toast(BEING_MADE)

import { useNavigate } from 'react-router'
import { restoreSession } from '#app/account/session/auth.ts'
import { OWN_DOWNLOADS } from '#app/datasets/catalog/addresses.ts'
import { useAction } from '#app/ui/admin/use-action.ts'
import { toast } from '#app/ui/toast.ts'
import { afterFailure, API_OPENED, BEING_MADE, DOWNLOAD_STARTED, type DownloadChoice, isSignedOut, takeProduct } from './download-choice.ts'

/** Downloads a product: opens it, confirms it, and reloads the user's downloads. */
export function useTake(id: string) {
  const navigate = useNavigate()
  return useAction({
    send: async (wish: DownloadChoice) => takeOrResume(id, wish),
    onDone: (url) => url && openDownload(url),
    done: (_url, { downloadType }) => (downloadType === 'api' ? API_OPENED : DOWNLOAD_STARTED),
    failed: 'Download failed',
    onRefused(error) {
      const next = afterFailure(error)
      if (next && 'goTo' in next) void navigate(next.goTo)
      else if (next) toast(next.tell)
      return true
    },
    touches: [OWN_DOWNLOADS],
  })
}

/** An expired session resumes silently, and the download continues. */
async function takeOrResume(id: string, wish: DownloadChoice): Promise<string | undefined> {
  try {
    return await takeProduct(id, wish, tellMaking)
  } catch (error) {
    if (!isSignedOut(error) || !(await restoreSession().catch(() => false))) throw error
    return takeProduct(id, wish, tellMaking)
  }
}

const tellMaking = () => toast(BEING_MADE)

/**
 * Opens a download in a new tab. Browsers allow that only shortly after a click, and a file may first have to be generated. Then it
 * downloads in this tab, which does not navigate away.
 */
function openDownload(url: string): void {
  const mayOpen = navigator.userActivation?.isActive ?? true
  const link = Object.assign(document.createElement('a'), { href: url, rel: 'noopener', ...(mayOpen && { target: '_blank' }) })
  document.body.append(link)
  link.click()
  link.remove()
}

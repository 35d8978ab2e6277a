import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { z } from 'zod/mini'
import { apiRequest } from '#app/platform/browser/api.ts'
import { POSTS } from '#app/blog/posts/post.ts'
import { cx } from '#app/ui/class-names.ts'

/** Milliseconds without a key before the preview is requested. */
const TYPING_PAUSE = 400

const preview = z.object({ html: z.string(), words: z.number(), readingMinutes: z.number() })

/** The text as readers will see it, rendered like the public page. The last preview stays until the next one arrives. */
export function usePreview(content: string) {
  const settled = useSettled(content)
  const [last, setLast] = useState<z.infer<typeof preview>>()
  const query = useQuery({
    queryKey: ['preview', settled],
    queryFn: async ({ signal }) =>
      preview.parse(await (await apiRequest('POST', `${POSTS}/preview`, { content: settled }, { signal })).json()),
    enabled: settled.trim() !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  if (query.data && query.data !== last) setLast(query.data)
  // A failed request leaves the last preview in place.
  return { isError: query.isError, data: query.data ?? last }
}

function useSettled(content: string): string {
  const [settled, setSettled] = useState(content)
  useEffect(() => {
    const pause = setTimeout(() => setSettled(content), TYPING_PAUSE)
    return () => clearTimeout(pause)
  }, [content])
  return settled
}

type PreviewPaneProps = { content: string; preview: ReturnType<typeof usePreview>; className?: string }

export function PreviewPane({ content, preview, className }: PreviewPaneProps) {
  return (
    <section
      aria-label="Preview"
      // A pane that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={cx('overflow-y-auto bg-paper px-5 py-4 focus-visible:-outline-offset-2', className)}
    >
      {content.trim() === '' && <p className="text-small text-muted">The preview appears here.</p>}
      {preview.isError && <p className="text-small text-alarm">We couldn’t update the preview. It retries when you type.</p>}
      {content.trim() !== '' && preview.data && (
        // The server sanitizes this HTML: it is the HTML of the public page.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
        <div className="prose post" onClick={openElsewhere} dangerouslySetInnerHTML={{ __html: preview.data.html }} />
      )}
    </section>
  )
}

/** Links open in a new tab, so that clicking one does not leave the editor. */
function openElsewhere(event: React.MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || link.getAttribute('href')?.startsWith('#')) return
  event.preventDefault()
  window.open(link.href, '_blank', 'noopener')
}

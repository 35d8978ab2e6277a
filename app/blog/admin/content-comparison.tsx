import { useEffect, useRef } from 'react'
import { postFieldNames, postLabels } from '#app/blog/posts/post.ts'
import type { PostFields } from './post-fields.ts'

/** The differences of two versions, for a comparison dialog. */
export function comparePosts(mine: PostFields, theirs: PostFields) {
  const others = postFieldNames.filter((name) => name !== 'content' && mine[name] !== theirs[name])
  return {
    differences: others.map((name) => ({ label: postLabels[name], mine: String(mine[name]), theirs: String(theirs[name]) })),
    more: mine.content !== theirs.content && <ContentComparison mine={mine.content} theirs={theirs.content} />,
  }
}

/** A line-by-line comparison of two texts. Its code is loaded on demand. */
function ContentComparison({ mine, theirs }: { mine: string; theirs: string }) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let close = () => undefined as void
    let isGone = false
    async function open() {
      const { openComparison } = await import('./comparison.ts')
      if (!isGone && frame.current) close = openComparison(frame.current, mine, theirs)
    }
    void open()
    return () => {
      isGone = true
      close()
    }
  }, [mine, theirs])
  return (
    <section aria-label="Content" className="grid gap-2">
      <h3 className="font-sans text-small font-semibold tracking-normal">Content</h3>
      <div className="grid grid-cols-2 gap-3">
        <p className="eyebrow">Yours</p>
        <p className="eyebrow">Theirs</p>
      </div>
      <div ref={frame} className="max-h-96 overflow-y-auto rounded-control border border-line" />
    </section>
  )
}

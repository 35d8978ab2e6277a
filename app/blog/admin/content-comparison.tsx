import { useEffect, useRef } from 'react'

/** A line-by-line comparison of two texts. Its code is loaded on demand. */
export function ContentComparison({ mine, theirs }: { mine: string; theirs: string }) {
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

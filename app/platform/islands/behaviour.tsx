import { use, useEffect, useRef } from 'react'
import { HydrationContext } from '#app/platform/hydration.ts'
import type { Place } from './island.tsx'

type BehaviourProps = {
  /** Begins when the element is there; what it returns, if anything, ends it. */
  of: ((element: HTMLElement) => (() => void) | void) & { island?: Place }
  on: 'visible' | 'idle'
  className?: string
  children: React.ReactNode
}

/** HTML as the server wrote it, joined in the browser by a few lines of script: no React on a public page. */
export function Behaviour({ of, on, className, children }: BehaviourProps) {
  const hydration = use(HydrationContext)
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => (hydration === 'page' && element.current ? of(element.current) : undefined), [hydration, of])
  const asIsland = hydration === 'islands' && of.island ? { 'data-island': of.island.url, 'data-name': of.island.name, 'data-on': on } : {}
  return (
    <div ref={element} className={className} {...asIsland}>
      {children}
    </div>
  )
}

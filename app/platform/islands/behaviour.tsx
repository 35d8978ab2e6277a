import { use, useEffect, useRef } from 'react'
import { HydrationContext } from '#app/platform/browser/hydration.ts'
import type { IslandSource } from './island.tsx'

type BehaviourProps = {
  /** Called with the element; may return a cleanup function. */
  of: ((element: HTMLElement) => (() => void) | void) & { island?: IslandSource }
  on: 'visible' | 'idle'
  className?: string
  children: React.ReactNode
}

/** Server HTML with a small script attached in the browser: no React on a public page. */
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

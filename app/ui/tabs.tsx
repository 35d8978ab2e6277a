import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useIsLive } from './use-is-live.ts'

type Tab = { value: string; label: string; count?: number | undefined; content: React.ReactNode }

type TabsProps = {
  /** The accessible name of the tab list. */
  label: string
  tabs: Tab[]
  defaultValue?: string
  value?: string
  onValueChange?: (value: string) => void
}

/** Tabs of the signed-in area, in one line that scrolls where it is too long. Only the open one is rendered. Arrow keys, Home and End move the focus, and open the tab that gets it. */
export function Tabs({ label, tabs, defaultValue, value, onValueChange }: TabsProps) {
  const id = useId()
  const isLive = useIsLive()
  // A value may hold a space, which would make two ids of one.
  const idOf = (part: 'tab' | 'panel', name: string) => `${id}${part}-${encodeURIComponent(name)}`
  const [own, setOwn] = useState(defaultValue)
  const chosen = value ?? own
  const open = tabs.find((tab) => tab.value === chosen) ?? tabs[0]
  const choose = (next: string) => {
    if (next === open?.value) return
    setOwn(next)
    onValueChange?.(next)
  }
  const list = useRef<HTMLDivElement>(null)
  const showOpenTab = useEffectEvent(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected=true]')
    if (list.current && tab && tab.offsetLeft + tab.offsetWidth > list.current.clientWidth) list.current.scrollLeft = tab.offsetLeft
  })
  // A focused tab scrolls into view on its own; the address may open a page at a later one, counts that come later move it, and a phone is turned.
  useEffect(() => {
    const sizes = new ResizeObserver(() => showOpenTab())
    if (list.current) for (const element of [list.current, ...list.current.children]) sizes.observe(element)
    return () => sizes.disconnect()
  }, [])
  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className="relative flex gap-x-4 overflow-x-auto shadow-[inset_0_-1px_0_var(--color-line)] [scrollbar-width:none]"
      >
        {tabs.map((tab, at) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            disabled={!isLive}
            id={idOf('tab', tab.value)}
            aria-selected={tab === open}
            aria-controls={idOf('panel', tab.value)}
            tabIndex={tab === open ? 0 : -1}
            onFocus={() => choose(tab.value)}
            onClick={() => choose(tab.value)}
            onKeyDown={(event) => moveFocus(event, at)}
            className="inline-flex min-h-(--control) items-center gap-2 border-b-2 border-transparent px-1 text-small font-semibold whitespace-nowrap text-muted transition-colors hover:text-ink focus-visible:-outline-offset-2 aria-selected:border-grain aria-selected:text-ink"
          >
            {tab.label}
            {tab.count !== undefined && <span className="font-mono text-fine font-normal text-muted tabular-nums">{tab.count}</span>}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.value}
          role="tabpanel"
          id={idOf('panel', tab.value)}
          aria-labelledby={idOf('tab', tab.value)}
          // A panel may hold only text, so that it gets the focus itself.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          hidden={tab !== open}
          className="pt-6 focus-visible:outline-offset-8 in-[.workspace]:pt-3 sm:in-[.workspace]:pt-4"
        >
          {tab === open && tab.content}
        </div>
      ))}
    </div>
  )
}

function moveFocus(event: React.KeyboardEvent<HTMLElement>, at: number) {
  const all = event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[role=tab]') ?? []
  const last = all.length - 1
  const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key]
  if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  all[to]?.focus()
}

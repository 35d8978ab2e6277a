import { Tabs as Radix } from 'radix-ui'

type Tab = { value: string; label: string; count?: number | undefined; content: React.ReactNode }

type TabsProps = {
  /** The accessible name of the tab list. */
  label: string
  tabs: Tab[]
  defaultValue?: string
  value?: string
  onValueChange?: (value: string) => void
}

/** The library would write these into style attributes of the HTML, which the content policy refuses. */
const NO_STYLE = { animationDuration: undefined, outline: undefined }

/** Tabs of the signed-in area. Only the open one is rendered. */
export function Tabs({ label, tabs, defaultValue = tabs[0]?.value, value: chosen, onValueChange }: TabsProps) {
  return (
    <Radix.Root
      {...(chosen === undefined ? defaultValue !== undefined && { defaultValue: keyOf(defaultValue) } : { value: keyOf(chosen) })}
      onValueChange={(key) => onValueChange?.(decodeURIComponent(key))}
    >
      <Radix.List aria-label={label} style={NO_STYLE} className="outline-none flex flex-wrap gap-x-4 border-b border-line">
        {tabs.map(({ value, label, count }) => (
          <Radix.Trigger
            key={value}
            value={keyOf(value)}
            className="-mb-px inline-flex min-h-(--control) items-center gap-2 border-b-2 px-1 first:-ml-1 border-transparent text-small font-semibold whitespace-nowrap text-muted transition-colors hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-grain data-[state=active]:text-ink"
          >
            {label}
            {count !== undefined && <span className="font-mono text-fine font-normal text-muted tabular-nums">{count}</span>}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ value, content }) => (
        <Radix.Content key={value} value={keyOf(value)} className="pt-6 in-[.workspace]:pt-4 focus-visible:outline-offset-8" asChild>
          <div style={NO_STYLE}>{content}</div>
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}

/** A value becomes part of ids. Attributes with several ids separate them by spaces, so a value must not contain one. */
function keyOf(value: string): string {
  return encodeURIComponent(value)
}

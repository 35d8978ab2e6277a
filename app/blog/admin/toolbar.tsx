import {
  BoldIcon,
  CodeIcon,
  HeadingIcon,
  ImageIcon,
  ItalicIcon,
  LinkIcon,
  ListIcon,
  ListOrderedIcon,
  type LucideIcon,
  MinusIcon,
  TableIcon,
  TextQuoteIcon,
} from 'lucide-react'
import { useRef } from 'react'
import { type CommandName, type MarkdownCommand, markdownCommands } from './markdown-command.ts'

const icons: Record<CommandName, LucideIcon> = {
  bold: BoldIcon,
  italic: ItalicIcon,
  heading: HeadingIcon,
  link: LinkIcon,
  list: ListIcon,
  numbers: ListOrderedIcon,
  quote: TextQuoteIcon,
  code: CodeIcon,
  table: TableIcon,
  divider: MinusIcon,
}

type ToolbarProps = {
  /** The id of the editor. */
  controls: string
  run: (command: MarkdownCommand) => void
  onPicture: () => void
  children?: React.ReactNode
}

/**
 * Formatting tools in one row, which scrolls sideways where it is too narrow for them. The toolbar is one tab stop; arrow keys move between
 * its tools, and the focused one scrolls into view.
 */
export function Toolbar({ controls, run, onPicture, children }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null)
  const entries = Object.entries(markdownCommands)
  return (
    <div className="flex items-center justify-between gap-x-2 border-b contain-inline-size border-line bg-sunken px-2 py-1 sm:gap-x-4">
      <div
        ref={bar}
        role="toolbar"
        aria-label="Formatting"
        aria-controls={controls}
        tabIndex={-1}
        onKeyDown={(event) => moveFocus(event, bar.current)}
        // The end of the row fades, so that it is seen to continue; the padding keeps the last tool clear of it.
        className="flex min-w-0 grow overflow-x-auto [scrollbar-width:none] max-sm:mask-r-from-[calc(100%-1.25rem)] max-sm:scroll-pr-5 max-sm:pr-5"
      >
        {entries.map(([name, { label, keys, run: command }], index) => (
          <Tool key={name} label={label} {...(keys && { keys })} icon={iconOf(name)} isFirst={index === 0} onPress={() => run(command)} />
        ))}
        <Tool label="Image" icon={ImageIcon} onPress={onPicture} />
      </div>
      {children}
    </div>
  )
}

function iconOf(name: string): LucideIcon {
  return Object.entries(icons).find(([of]) => of === name)?.[1] ?? CodeIcon
}

type ToolProps = { label: string; keys?: string; icon: LucideIcon; isFirst?: boolean; onPress: () => void }

function Tool({ label, keys, icon: Icon, isFirst = false, onPress }: ToolProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={keys ? `${label} (${inWords(keys)})` : label}
      aria-keyshortcuts={keys && ariaKeys(keys)}
      tabIndex={isFirst ? 0 : -1}
      onClick={onPress}
      className="grid size-9 shrink-0 place-items-center rounded-control text-muted hover:bg-surface hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:size-11"
    >
      <Icon aria-hidden="true" className="size-4.5" />
    </button>
  )
}

const isMac = () => typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.userAgent)
const inWords = (keys: string) =>
  keys
    .replace('Mod', isMac() ? 'Cmd' : 'Ctrl')
    .replaceAll('-', '+')
    .replace(/\+.$/, (key) => key.toUpperCase())
const ariaKeys = (keys: string) => keys.replace('Mod', isMac() ? 'Meta' : 'Control').replaceAll('-', '+')

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
}

function moveFocus(event: React.KeyboardEvent, bar: HTMLElement | null) {
  const step = steps[event.key]
  if (!step || !bar) return
  const tools = [...bar.querySelectorAll('button')]
  const at = tools.findIndex((tool) => tool === document.activeElement)
  const next = tools[step(Math.max(at, 0), tools.length)]
  for (const tool of tools) tool.tabIndex = tool === next ? 0 : -1
  next?.focus({ preventScroll: true })
  // A focus alone leaves a tool that is half in sight where it is.
  next?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  event.preventDefault()
}

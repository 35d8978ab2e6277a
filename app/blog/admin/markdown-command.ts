/** A text and its selection. */
export type TextSelection = { text: string; from: number; to: number }
/** Replaces a range, and sets the selection. */
export type Edit = { from: number; to: number; insert: string; select: { from: number; to: number } }

export type MarkdownCommand = (chosen: TextSelection) => Edit

/** Wraps the selection in a marker, or removes the marker around it. */
function between(sign: string, sample: string): MarkdownCommand {
  return ({ text, from, to }) => {
    const around = text.slice(from - sign.length, from) === sign && text.slice(to, to + sign.length) === sign
    // A longer run of the marker has another meaning: `**bold**` is not italic.
    if (around && !isPartOfLonger(text, from, to, sign)) {
      const start = from - sign.length
      return { from: start, to: to + sign.length, insert: text.slice(from, to), select: { from: start, to: to - sign.length } }
    }
    const words = text.slice(from, to) || sample
    const start = from + sign.length
    return { from, to, insert: `${sign}${words}${sign}`, select: { from: start, to: start + words.length } }
  }
}

function isPartOfLonger(text: string, from: number, to: number, sign: string): boolean {
  const [before, after] = [text[from - sign.length - 1], text[to + sign.length]]
  return before === sign[0] && after === sign[0]
}

/** Changes each line that the selection touches. */
function onLines(change: (lines: string[]) => string[]): MarkdownCommand {
  return ({ text, from, to }) => {
    const start = text.lastIndexOf('\n', from - 1) + 1
    const next = text.indexOf('\n', to)
    const end = next < 0 ? text.length : next
    const insert = change(text.slice(start, end).split('\n')).join('\n')
    // A cursor goes to the end of its line; a selection grows to whole lines.
    return { from: start, to: end, insert, select: { from: from === to ? start + insert.length : start, to: start + insert.length } }
  }
}

const LIST_SIGN = /^(\s*)(?:[-*+] |\d+[.)] )/

/** Adds a prefix to each line, or removes it when all lines have it. */
function startingWith(has: RegExp, sign: (index: number) => string): MarkdownCommand {
  return onLines((lines) =>
    lines.every((line) => has.test(line))
      ? lines.map((line) => line.replace(has, ''))
      : lines.map((line, index) => sign(index) + line.replace(LIST_SIGN, '')),
  )
}

/** Cycles through `##`, `###` and none. The title of the post is the only first-level heading. */
const heading = onLines((lines) => {
  const [, signs = ''] = /^(#{1,6}) /.exec(lines[0] ?? '') ?? []
  const next = signs === '' ? '## ' : signs === '##' ? '### ' : ''
  return lines.map((line) => next + line.replace(/^#{1,6} /, ''))
})

const quote: MarkdownCommand = onLines((lines) =>
  lines.every((line) => /^> ?/.test(line)) ? lines.map((line) => line.replace(/^> ?/, '')) : lines.map((line) => `> ${line}`),
)

/** Inline code within a line, a code block for several lines. */
const code: MarkdownCommand = (chosen) => {
  const { text, from, to } = chosen
  const words = text.slice(from, to)
  if (!words.includes('\n')) return between('`', 'code')(chosen)
  const [before, after] = [text[from - 1] ?? '\n', text[to] ?? '\n']
  const insert = `${before === '\n' ? '' : '\n'}\`\`\`\n${words}\n\`\`\`${after === '\n' ? '' : '\n'}`
  const start = from + insert.indexOf('```\n') + 4
  return { from, to, insert, select: { from: start, to: start + words.length } }
}

/** Links the selected words, or adds words to a selected URL, and selects the missing part. */
const link: MarkdownCommand = ({ text, from, to }) => {
  const words = text.slice(from, to)
  if (/^https?:\/\/\S+$/.test(words)) {
    return { from, to, insert: `[words](${words})`, select: { from: from + 1, to: from + 6 } }
  }
  const start = from + words.length + 3
  return { from, to, insert: `[${words}](https://)`, select: words ? { from: start, to: start + 8 } : { from: from + 1, to: from + 1 } }
}

/** A heading of one level, whatever the line was before. */
const headingOf = (signs: string) => onLines((lines) => lines.map((line) => `${signs} ${line.replace(/^#{1,6} /, '')}`))

/** A text in paragraphs of its own, with a blank line on each side. `select` is a part of it; without one, the cursor goes to its end. */
export function blockCommand(block: string, select?: string): MarkdownCommand {
  return ({ text, from, to }) => {
    const [before, after] = [text.slice(0, from), text.slice(to)]
    const lead = /(^|\n\n)$/.test(before) ? '' : before.endsWith('\n') ? '\n' : '\n\n'
    const tail = /^($|\n\n|\n$)/.test(after) ? '' : after.startsWith('\n') ? '\n' : '\n\n'
    const start = from + lead.length + (select ? block.indexOf(select) : block.length)
    return { from, to, insert: lead + block + tail, select: { from: start, to: start + (select?.length ?? 0) } }
  }
}

/** A code block with the selected lines. They stay selected. */
const codeBlock: MarkdownCommand = (chosen) => {
  const { from, insert, ...edit } = blockCommand(`\`\`\`\n${chosen.text.slice(chosen.from, chosen.to)}\n\`\`\``)(chosen)
  const start = from + insert.indexOf('```\n') + 4
  return { ...edit, from, insert, select: { from: start, to: start + chosen.to - chosen.from } }
}

/** An image in a paragraph of its own. Its alt text is escaped, so it cannot end the syntax. */
export function pictureCommand({ alt, url }: { alt: string; url: string }): MarkdownCommand {
  return blockCommand(`![${alt.replaceAll(/[[\]\\]/g, String.raw`\$&`)}](${url})`)
}

export type CommandName = 'bold' | 'italic' | 'heading' | 'link' | 'list' | 'numbers' | 'quote' | 'code' | 'table' | 'divider'

type Tool = { label: string; /** In CodeMirror's syntax. */ keys?: string; run: MarkdownCommand }

/** The tools in order of the toolbar. */
export const markdownCommands: Readonly<Record<CommandName, Tool>> = {
  bold: { label: 'Bold', keys: 'Mod-b', run: between('**', 'bold') },
  italic: { label: 'Italic', keys: 'Mod-i', run: between('_', 'italic') },
  heading: { label: 'Heading', keys: 'Mod-Alt-2', run: heading },
  link: { label: 'Link', keys: 'Mod-k', run: link },
  list: { label: 'List', keys: 'Mod-Shift-8', run: startingWith(/^\s*[-*+] /, () => '- ') },
  numbers: { label: 'Numbered list', keys: 'Mod-Shift-7', run: startingWith(/^\s*\d+[.)] /, (index) => `${index + 1}. `) },
  quote: { label: 'Quote', keys: 'Mod-Shift-.', run: quote },
  code: { label: 'Code', keys: 'Mod-e', run: code },
  table: { label: 'Table', run: blockCommand('| Column | Column |\n| --- | --- |\n|  |  |', 'Column') },
  divider: { label: 'Divider', run: blockCommand('---\n') },
}

/** An entry of the menu at the beginning of a line: its Markdown sign, and other words that find it. */
export type SlashTool = { label: string; sign: string; words: string; run: MarkdownCommand | 'picture' }

export const slashTools: readonly SlashTool[] = [
  { label: 'Heading', sign: '##', words: 'h2 title section', run: headingOf('##') },
  { label: 'Subheading', sign: '###', words: 'h3 heading', run: headingOf('###') },
  { ...markdownCommands.list, sign: '-', words: 'ul bullets points' },
  { ...markdownCommands.numbers, sign: '1.', words: 'ol ordered' },
  { ...markdownCommands.table, sign: '| |', words: 'grid columns rows' },
  { label: 'Image', sign: '![ ]', words: 'picture photo img', run: 'picture' },
  { label: 'Code block', sign: '```', words: 'pre fence snippet', run: codeBlock },
  { ...markdownCommands.quote, sign: '>', words: 'blockquote citation' },
  { ...markdownCommands.divider, sign: '---', words: 'hr line rule separator' },
  { label: 'Task list', sign: '- [ ]', words: 'todo checkbox', run: startingWith(/^\s*[-*+] \[[ x]\] /i, () => '- [ ] ') },
  { ...markdownCommands.link, sign: '[ ]', words: 'url address' },
  { ...markdownCommands.bold, sign: '**', words: 'strong' },
  { ...markdownCommands.italic, sign: '_', words: 'emphasis' },
  { ...markdownCommands.code, sign: '`', words: 'inline monospace' },
]

/** Of one line or more: what the menu shows before a word is typed. */
const blocks = slashTools.slice(0, 10)

/** The tools whose name or another word begins with what was typed, best ones first. */
export function findSlashTools(typed: string): readonly SlashTool[] {
  const asked = typed.trim().toLowerCase()
  if (asked === '') return blocks
  const byLabel = slashTools.filter(({ label }) => label.toLowerCase().startsWith(asked))
  const byWord = slashTools.filter(({ label, words }) =>
    `${label} ${words}`
      .toLowerCase()
      .split(' ')
      .some((word) => word.startsWith(asked)),
  )
  return [...new Set([...byLabel, ...byWord])]
}

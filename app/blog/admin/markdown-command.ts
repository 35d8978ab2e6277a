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

/** An image on a line of its own. Its alt text is escaped, so it cannot end the syntax. */
export function pictureCommand({ alt, url }: { alt: string; url: string }): MarkdownCommand {
  return ({ text, from, to }) => {
    const [before, after] = [text[from - 1] ?? '\n', text[to] ?? '\n']
    const picture = `![${alt.replaceAll(/[[\]\\]/g, String.raw`\$&`)}](${url})`
    const insert = `${before === '\n' ? '' : '\n\n'}${picture}${after === '\n' ? '' : '\n\n'}`
    const end = from + insert.trimEnd().length
    return { from, to, insert, select: { from: end, to: end } }
  }
}

/** The tools in order of the toolbar. Keys are in CodeMirror's syntax. */
export const markdownCommands = {
  bold: { label: 'Bold', keys: 'Mod-b', run: between('**', 'bold') },
  italic: { label: 'Italic', keys: 'Mod-i', run: between('_', 'italic') },
  heading: { label: 'Heading', keys: 'Mod-Alt-2', run: heading },
  link: { label: 'Link', keys: 'Mod-k', run: link },
  list: { label: 'List', keys: 'Mod-Shift-8', run: startingWith(/^\s*[-*+] /, () => '- ') },
  numbers: { label: 'Numbered list', keys: 'Mod-Shift-7', run: startingWith(/^\s*\d+[.)] /, (index) => `${index + 1}. `) },
  quote: { label: 'Quote', keys: 'Mod-Shift-.', run: quote },
  code: { label: 'Code', keys: 'Mod-e', run: code },
} satisfies Record<string, { label: string; keys: string; run: MarkdownCommand }>

export type CommandName = keyof typeof markdownCommands

/** A text, and what of it is chosen. */
export type Chosen = { text: string; from: number; to: number }
/** One piece put in the place of another, and what is chosen afterwards. */
export type Edit = { from: number; to: number; insert: string; select: { from: number; to: number } }

export type MarkdownCommand = (chosen: Chosen) => Edit

/** Sets the chosen words between signs, or takes the signs away where they stand already. */
function between(sign: string, sample: string): MarkdownCommand {
  return ({ text, from, to }) => {
    const around = text.slice(from - sign.length, from) === sign && text.slice(to, to + sign.length) === sign
    // Signs of which there are more around it are those of another kind: `**bold**` is not italic.
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

/** Does something to each of the lines that are chosen, even in part. */
function onLines(change: (lines: string[]) => string[]): MarkdownCommand {
  return ({ text, from, to }) => {
    const start = text.lastIndexOf('\n', from - 1) + 1
    const next = text.indexOf('\n', to)
    const end = next < 0 ? text.length : next
    const insert = change(text.slice(start, end).split('\n')).join('\n')
    // A place stays a place, at the end of its line; what was chosen is whole lines afterwards.
    return { from: start, to: end, insert, select: { from: from === to ? start + insert.length : start, to: start + insert.length } }
  }
}

const LIST_SIGN = /^(\s*)(?:[-*+] |\d+[.)] )/

/** Puts a sign before each line, or takes it away where all have it. */
function startingWith(has: RegExp, sign: (index: number) => string): MarkdownCommand {
  return onLines((lines) =>
    lines.every((line) => has.test(line))
      ? lines.map((line) => line.replace(has, ''))
      : lines.map((line, index) => sign(index) + line.replace(LIST_SIGN, '')),
  )
}

/** `##`, then `###`, then none. The title of the post is the heading of the first level. */
const heading = onLines((lines) => {
  const [, signs = ''] = /^(#{1,6}) /.exec(lines[0] ?? '') ?? []
  const next = signs === '' ? '## ' : signs === '##' ? '### ' : ''
  return lines.map((line) => next + line.replace(/^#{1,6} /, ''))
})

const quote: MarkdownCommand = onLines((lines) =>
  lines.every((line) => /^> ?/.test(line)) ? lines.map((line) => line.replace(/^> ?/, '')) : lines.map((line) => `> ${line}`),
)

/** Words of a line between single signs, lines as a block of their own. */
const code: MarkdownCommand = (chosen) => {
  const { text, from, to } = chosen
  const words = text.slice(from, to)
  if (!words.includes('\n')) return between('`', 'code')(chosen)
  const [before, after] = [text[from - 1] ?? '\n', text[to] ?? '\n']
  const insert = `${before === '\n' ? '' : '\n'}\`\`\`\n${words}\n\`\`\`${after === '\n' ? '' : '\n'}`
  const start = from + insert.indexOf('```\n') + 4
  return { from, to, insert, select: { from: start, to: start + words.length } }
}

/** The chosen words lead somewhere, or a chosen address gets words; what is missing is chosen afterwards. */
const link: MarkdownCommand = ({ text, from, to }) => {
  const words = text.slice(from, to)
  if (/^https?:\/\/\S+$/.test(words)) {
    return { from, to, insert: `[words](${words})`, select: { from: from + 1, to: from + 6 } }
  }
  const start = from + words.length + 3
  return { from, to, insert: `[${words}](https://)`, select: words ? { from: start, to: start + 8 } : { from: from + 1, to: from + 1 } }
}

/** A picture on a line of its own. What stands in its words cannot end them. */
export function pictureCommand({ alt, url }: { alt: string; url: string }): MarkdownCommand {
  return ({ text, from, to }) => {
    const [before, after] = [text[from - 1] ?? '\n', text[to] ?? '\n']
    const picture = `![${alt.replaceAll(/[[\]\\]/g, String.raw`\$&`)}](${url})`
    const insert = `${before === '\n' ? '' : '\n\n'}${picture}${after === '\n' ? '' : '\n\n'}`
    const end = from + insert.trimEnd().length
    return { from, to, insert, select: { from: end, to: end } }
  }
}

/** What the bar of tools does, in its order. Keys as CodeMirror writes them. */
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

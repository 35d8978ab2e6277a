/** A run of lines of an email: by its sender, or quoted from an earlier one. */
export type TextPart = { isQuoted: boolean; text: string }

/** The line above a quote: "On 3 Nov 2026, Ada wrote:", in the languages of the common mail programs. */
const ATTRIBUTION =
  /^(on|am|le|el|il|op|em|den|dne|w dniu)\b.{4,300}(wrote|schrieb|écrit|escribió|scritto|schreef|escreveu|skrev|napsal|napisał)(\(a\))?[^\n]{0,60}:$/i
const WRITTEN_LATER = /^.{3,200}\b(wrote|schrieb|a écrit)\s?:$/i
/** The rest of the email is an earlier one. */
const DIVIDER =
  /^(-{2,}\s*(original message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|oprindelig meddelelse|forwarded message)\s*-{2,}|_{20,})$/i
const HEADER_LINE = /^\*?(from|von|de|da|van|från|fra)\s?:\*?\s.+/i
const HEADER_NEXT = /^\*?(sent|date|gesendet|datum|envoyé|enviado|inviato|verzonden|skickat|sendt|to|an|à|para)\s?:\*?\s.+/i
const QUOTED_LINE = /^\s{0,3}>/

/** The parts of an email's text, in its order. Together they are the whole text, so a wrong guess only folds too much. */
export function partsOfText(text: string): TextPart[] {
  const lines = text.split('\n')
  const flags = flagsOf(lines)
  const parts: { isQuoted: boolean; lines: string[] }[] = []
  lines.forEach((line, at) => {
    const isQuoted = flags[at] ?? false
    const last = parts.at(-1)
    if (last?.isQuoted === isQuoted) last.lines.push(line)
    else parts.push({ isQuoted, lines: [line] })
  })
  const joined = parts.map(({ isQuoted, lines: own }) => ({ isQuoted, text: own.join('\n').trim() })).filter(({ text: own }) => own !== '')
  // An email without words of its sender is shown as it is.
  return joined.some(({ isQuoted }) => !isQuoted) ? joined : joined.map((part) => ({ ...part, isQuoted: false }))
}

/** Only what the sender wrote. */
export function ownText(text: string): string {
  return partsOfText(text)
    .filter(({ isQuoted }) => !isQuoted)
    .map((part) => part.text)
    .join('\n\n')
}

function flagsOf(lines: string[]): boolean[] {
  const flags = lines.map((line) => QUOTED_LINE.test(line))
  lines.forEach((line, at) => {
    if (!flags[at] && isAttribution(lines, at) && leadsToQuote(lines, flags, at)) {
      flags[at] = true
      // Mail programs break a long one into two lines.
      if (at > 0 && !endsAlone(line)) flags[at - 1] = true
    }
  })
  const rest = lines.findIndex((line, at) => !flags[at] && (DIVIDER.test(line.trim()) || isHeaderBlock(lines, at)))
  return rest < 0 ? flags : flags.map((isQuoted, at) => isQuoted || at >= rest)
}

/** Whether the line, or the two that end with it, are above a quote. */
function isAttribution(lines: string[], at: number): boolean {
  const line = (lines[at] ?? '').trim()
  return endsAlone(line) || ATTRIBUTION.test(`${(lines[at - 1] ?? '').trim()} ${line}`)
}

function endsAlone(line: string): boolean {
  const text = line.trim()
  return text.length < 400 && (ATTRIBUTION.test(text) || WRITTEN_LATER.test(text))
}

function leadsToQuote(lines: string[], flags: boolean[], at: number): boolean {
  let next = at + 1
  while (next < lines.length && lines[next]?.trim() === '') next += 1
  return flags[next] ?? false
}

/** The copied headers of Outlook: from, sent, to, subject. */
function isHeaderBlock(lines: string[], at: number): boolean {
  const text = (line: number) => (lines[line] ?? '').trim()
  return (
    text(at).length < 400 &&
    HEADER_LINE.test(text(at)) &&
    HEADER_NEXT.test(text(at + 1)) &&
    (text(at + 2) === '' || /^\*?[\p{L}-]{2,12}\s?:/u.test(text(at + 2)))
  )
}

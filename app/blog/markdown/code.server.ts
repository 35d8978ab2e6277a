import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore, type LanguageInput } from '@shikijs/core'
import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript'
import { element, elementsIn, type Element, type Root, nodeText, textIn } from './tree.ts'

const THEME = 'code'
/** In characters per text; the rest stays plain. Highlighting costs ten times as much as rendering. */
const MOST_COLOURED = 60_000
/** In characters: a longer line is data. There is no time limit per line, because equal texts must render equally. */
const LONGEST_LINE = 1_000

/** Supported languages, each loaded on first use. */
const languages: Record<string, { load: LanguageInput; also?: readonly string[] }> = {
  bash: { load: () => import('@shikijs/langs/bash'), also: ['sh', 'shell', 'zsh', 'console'] },
  css: { load: () => import('@shikijs/langs/css') },
  csv: { load: () => import('@shikijs/langs/csv') },
  diff: { load: () => import('@shikijs/langs/diff'), also: ['patch'] },
  docker: { load: () => import('@shikijs/langs/docker'), also: ['dockerfile'] },
  go: { load: () => import('@shikijs/langs/go'), also: ['golang'] },
  html: { load: () => import('@shikijs/langs/html') },
  http: { load: () => import('@shikijs/langs/http') },
  java: { load: () => import('@shikijs/langs/java') },
  javascript: { load: () => import('@shikijs/langs/javascript'), also: ['js', 'mjs', 'cjs'] },
  json: { load: () => import('@shikijs/langs/json'), also: ['jsonl', 'json5'] },
  jsx: { load: () => import('@shikijs/langs/jsx') },
  php: { load: () => import('@shikijs/langs/php') },
  python: { load: () => import('@shikijs/langs/python'), also: ['py'] },
  sql: { load: () => import('@shikijs/langs/sql') },
  toml: { load: () => import('@shikijs/langs/toml') },
  tsx: { load: () => import('@shikijs/langs/tsx') },
  typescript: { load: () => import('@shikijs/langs/typescript'), also: ['ts'] },
  xml: { load: () => import('@shikijs/langs/xml'), also: ['svg', 'rss'] },
  yaml: { load: () => import('@shikijs/langs/yaml'), also: ['yml'] },
}

const byName = new Map(Object.entries(languages).flatMap(([name, { also = [] }]) => [name, ...also].map((alias) => [alias, name] as const)))

let opened: Promise<HighlighterCore> | undefined

/** Returns the highlighter for the code blocks of a tree. Colors are classes by type of token. */
export async function codeHighlighter(tree: Root): Promise<(pre: Element) => Element> {
  const names = new Set(blocksIn(tree).flatMap((pre) => byName.get(languageOf(pre)) ?? []))
  const highlighter = names.size > 0 ? await open(names) : undefined
  let room = MOST_COLOURED
  return (pre) => {
    const language = languageOf(pre)
    const name = byName.get(language)
    const source = textIn(pre).replace(/\n$/, '')
    room -= source.length
    const lines = highlighter && name && room >= 0 ? coloured(highlighter, name, source) : [nodeText(source)]
    const properties = { className: ['code'], tabIndex: 0, ...(language && { dataLanguage: name ?? language }) }
    return element('pre', properties, [element('code', {}, lines)])
  }
}

async function open(names: ReadonlySet<string>): Promise<HighlighterCore> {
  const themes = [createCssVariablesTheme({ name: THEME, variablePrefix: '' })]
  opened ??= createHighlighterCore({ themes, langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) })
  const highlighter = await opened
  for (const name of names) {
    const { load } = languages[name] ?? {}
    if (load && !highlighter.getLoadedLanguages().includes(name)) await highlighter.loadLanguage(load)
  }
  return highlighter
}

function blocksIn(tree: Root): Element[] {
  return [...elementsIn(tree)].flatMap(({ element: { tagName }, element: found }) => (tagName === 'pre' ? found : []))
}

/** The language after the fence. */
function languageOf(pre: Element): string {
  const [code] = pre.children
  const classes = code?.type === 'element' ? code.properties['className'] : undefined
  const [name = ''] = Array.isArray(classes) ? classes.map(String) : []
  return /^language-([\w-]{1,20})$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

function coloured(highlighter: HighlighterCore, lang: string, source: string) {
  const { tokens } = highlighter.codeToTokens(source, { lang, theme: THEME, tokenizeMaxLineLength: LONGEST_LINE, tokenizeTimeLimit: 0 })
  return tokens.flatMap((line, index) => [
    ...(index > 0 ? [nodeText('\n')] : []),
    ...line.map(({ content, color }) => {
      const kind = /token-([a-z]+)/.exec(color ?? '')?.[1]
      return kind ? element('span', { className: [`code-${kind}`] }, [nodeText(content)]) : nodeText(content)
    }),
  ])
}

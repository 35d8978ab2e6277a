import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { validateXML } from 'xmllint-wasm'

/** A copy of https://github.com/ConnectingEurope/eInvoicing-EN16931, whose rules are not ours to hand on. */
const RULES = process.env['EN16931_RULES'] ?? ''
/** Of Debian's `libsaxonhe-java`, with a Java runtime. */
const SAXON = '/usr/share/java/Saxon-HE.jar'

/** Whether the rules and an XSLT processor for them are here. */
export function hasRules(): boolean {
  return existsSync(path.join(RULES, 'cii/xslt/EN16931-CII-validation.xslt')) && existsSync(SAXON)
}

const schemas = path.join(RULES, 'cii/schema/D16B SCRDM (Subset)/uncoupled clm/CII/uncefact')

/** What the schema of CII refuses, in sentences. */
export async function refusedBySchema(files: readonly { name: string; xml: string }[]): Promise<string[]> {
  const xsd = globSync('**/*.xsd', { cwd: schemas })
  const contentsOf = (name: string) =>
    readFileSync(path.join(schemas, name), 'utf8').replaceAll(/schemaLocation="[^"]*\//g, 'schemaLocation="')
  const main = 'CrossIndustryInvoice_100pD16B.xsd'
  const result = await validateXML({
    xml: files.map(({ name, xml }) => ({ fileName: name, contents: xml })),
    schema: xsd.filter((name) => name.endsWith(main)).map((name) => ({ fileName: main, contents: contentsOf(name) })),
    preload: xsd.filter((name) => !name.endsWith(main)).map((name) => ({ fileName: path.basename(name), contents: contentsOf(name) })),
  })
  return result.errors.map(({ rawMessage }) => rawMessage)
}

/** What the rules of EN 16931 refuse: the ids of the fatal ones, with the file and the place. */
export function refusedByRules(folder: string, syntax: 'cii' | 'ubl', files: readonly { name: string; xml: string }[]): string[] {
  const [given, told] = [path.join(folder, `${syntax}-in`), path.join(folder, `${syntax}-out`)]
  for (const each of [given, told]) {
    rmSync(each, { recursive: true, force: true })
    mkdirSync(each, { recursive: true })
  }
  for (const { name, xml } of files) writeFileSync(path.join(given, name), xml)
  const rules = path.join(RULES, syntax, `xslt/EN16931-${syntax.toUpperCase()}-validation.xslt`)
  execFileSync('java', ['-jar', SAXON, `-s:${given}`, `-xsl:${rules}`, `-o:${told}`], { stdio: ['ignore', 'ignore', 'inherit'] })
  return readdirSync(told).flatMap((name) => {
    const report = readFileSync(path.join(told, name), 'utf8')
    return [...report.matchAll(/<svrl:failed-assert[\s\S]*?<\/svrl:failed-assert>/g)]
      .map(([failed]) => failed)
      .filter((failed) => failed.includes('flag="fatal"'))
      .map((failed) => `${name}: ${/<svrl:text>([\s\S]*?)<\/svrl:text>/.exec(failed)?.[1]?.trim() ?? failed}`)
  })
}

import { Form, Link, useLocation } from 'react-router'
import { Behaviour } from '#app/platform/islands/behaviour.tsx'
import { Button } from '#app/ui/button.tsx'
import { cx } from '#app/ui/class-names.ts'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { Page } from '#app/ui/page.tsx'
import { exampleLanguages } from './code-example.ts'
import { docsCode } from './docs-code.island.ts'
import type { DocsChoice, DocsEndpoint } from './reference.server.ts'
import { docsPages, referenceWords } from './reference-words.ts'

type DocsFrameProps = { title: string; intro?: string; choice: DocsChoice; children: React.ReactNode }

/** A page of the documentation: its pages on the left, and the dataset of the examples above. */
export function DocsFrame({ title, intro, choice, children }: DocsFrameProps) {
  const { pathname } = useLocation()
  return (
    <Page title={title} eyebrow="/api/v1" intro={intro}>
      <div className="grid grid-cols-1 gap-x-12 gap-y-6 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <div className="grid content-start gap-5 lg:sticky lg:top-24 lg:self-start print:hidden">
          <nav aria-label={referenceWords.navigation}>
            <ul className="flex flex-wrap gap-x-4 lg:grid lg:border-l lg:border-line">
              {docsPages.map(({ to, label }) => (
                <li key={to}>
                  <Link
                    to={withDataset(to, choice)}
                    aria-current={pathname === to ? 'page' : undefined}
                    className="flex min-h-9 items-center text-small text-muted hover:text-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink lg:-ml-px lg:border-l-2 lg:border-transparent lg:pl-4 lg:aria-[current=page]:border-grain pointer-coarse:min-h-11"
                  >
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <DatasetChoice choice={choice} action={pathname} />
        </div>
        <Behaviour of={docsCode} on="idle" className="min-w-0">
          <div data-copy={referenceWords.copy.button} data-copied={referenceWords.copy.done} data-failed={referenceWords.copy.failed}>
            {children}
          </div>
        </Behaviour>
      </div>
    </Page>
  )
}

/** The address of a page, with the dataset that the reader has chosen. */
export function withDataset(to: string, { slug, isChosen }: DocsChoice): string {
  return isChosen ? `${to}?dataset=${slug}` : to
}

function DatasetChoice({ choice: { slug, datasets }, action }: { choice: DocsChoice; action: string }) {
  if (datasets.length < 2) return null
  return (
    <Form action={action} className="flex flex-wrap items-end gap-2 lg:grid">
      <div className="min-w-0 grow basis-0">
        <Field label={referenceWords.choose.label} name="dataset">
          <Select key={slug} defaultValue={slug} className="text-small">
            {datasets.map((dataset) => (
              <option key={dataset.slug} value={dataset.slug}>
                {dataset.name}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Button type="submit" look="quiet">
        {referenceWords.choose.send}
      </Button>
    </Form>
  )
}

/** Each language shows its code while its tab is chosen. The classes are written out, because they are found by their text. */
const shownWith = {
  bash: 'group-has-[input[value=bash]:checked]/code:block',
  typescript: 'group-has-[input[value=typescript]:checked]/code:block',
  python: 'group-has-[input[value=python]:checked]/code:block',
} as const

/** The same call in several languages: tabs without script. With script, the choice holds for all of them and is remembered. */
export function CodeTabs({ id, code }: { id: string; code: DocsEndpoint['code'] }) {
  return (
    <div className="group/code grid min-w-0 grid-cols-1 gap-2" data-code-tabs>
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">{referenceWords.languages}</legend>
        {code.map(({ language }, at) => (
          <label
            key={language}
            className="flex min-h-8 items-center rounded-control border border-transparent px-2.5 font-mono text-fine text-muted hover:text-ink has-checked:border-line has-checked:bg-surface has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-grain-text pointer-coarse:min-h-11"
          >
            <input type="radio" name={`language-${id}`} value={language} defaultChecked={at === 0} className="sr-only" />
            {exampleLanguages[language]}
          </label>
        ))}
      </fieldset>
      {code.map(({ language, html }) => (
        <CodeBlock key={language} html={html} className={cx('hidden', shownWith[language])} />
      ))}
    </div>
  )
}

const CODE = 'post min-w-0 [&_pre]:m-0 [&_pre]:max-h-96 [&_pre]:overflow-auto'

/** Our own Markdown, rendered on the server. */
export function CodeBlock({ html, className }: { html: string; className?: string }) {
  return <div className={cx(CODE, className)} dangerouslySetInnerHTML={{ __html: html }} />
}

/** Text from our own Markdown. */
export function DocsText({ html, className }: { html: string; className?: string }) {
  return <div className={cx('prose post min-w-0', className)} dangerouslySetInnerHTML={{ __html: html }} />
}

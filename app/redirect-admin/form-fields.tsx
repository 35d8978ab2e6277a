import { kinds, limits, queryOptions, statusCodes } from '#app/redirects/redirect.ts'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { Switch } from '#app/ui/switch.tsx'
import type { RedirectFormState } from './use-redirect-form.tsx'

const kindLabels = { exact: 'Exact: this one path', wildcard: 'Wildcard: all that begins so', pattern: 'Pattern: a regular expression' }
const kindHints = {
  exact: 'Such as /old-page.',
  wildcard: 'With one * at the end, such as /old/*. A * in the target stands for the rest.',
  pattern: 'For the whole path, such as /news/(\\d+). In the target, $1 stands for the first group.',
}
const queryLabels = { pass: 'Hand it on', ignore: 'Drop it', exact: 'It must match what the from path says' }

type PartProps = { form: RedirectFormState }

/** `children` is what there is to say of the two paths. */
export function FormFields({ form, children }: PartProps & { children: React.ReactNode }) {
  return (
    <>
      <Paths form={form} />
      {children}
      <Field label="Status code" name="statusCode" error={form.errors['statusCode']}>
        <Select value={form.fields.statusCode} onChange={({ target }) => form.change({ statusCode: numberIn(target.value) })}>
          {statusCodes.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Description" name="description" optional error={form.errors['description']}>
        <Input
          value={form.fields.description}
          maxLength={limits.description}
          autoComplete="off"
          onChange={({ target }) => form.change({ description: target.value })}
        />
      </Field>
      <Switch label="Active" checked={form.fields.isActive} onChange={(isActive) => form.change({ isActive })} />
      <Options form={form} />
    </>
  )
}

function Paths({ form: { fields, errors, change } }: PartProps) {
  return (
    <>
      <Field label="From path" name="fromPath" error={errors['fromPath']} hint={kindHints[fields.kind]}>
        <Input
          value={fields.fromPath}
          className="font-mono text-small"
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          placeholder="/old-page"
          onChange={({ target }) => change({ fromPath: target.value })}
        />
      </Field>
      <Field label="To path" name="toPath" error={errors['toPath']} hint="A path of this site, or a whole address of another one.">
        <Input
          value={fields.toPath}
          className="font-mono text-small"
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          placeholder="/new-page or https://example.com/page"
          onChange={({ target }) => change({ toPath: target.value })}
        />
      </Field>
    </>
  )
}

function Options({ form: { fields, errors, change } }: PartProps) {
  return (
    <fieldset className="grid gap-4 border-t border-line pt-5">
      <legend className="float-left mb-1 text-small font-semibold">How an address is compared</legend>
      <Field label="Kind" name="kind" error={errors['kind']}>
        <Select value={fields.kind} onChange={({ target }) => change({ kind: kinds.find((kind) => kind === target.value) ?? 'exact' })}>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {kindLabels[kind]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Query" name="query" error={errors['query']} hint="What follows a ? in the address.">
        <Select
          value={fields.query}
          onChange={({ target }) => change({ query: queryOptions.find((one) => one === target.value) ?? 'pass' })}
        >
          {queryOptions.map((option) => (
            <option key={option} value={option}>
              {queryLabels[option]}
            </option>
          ))}
        </Select>
      </Field>
      <div className="flex flex-wrap gap-x-8">
        <Switch label="Ignore a slash at the end" checked={fields.ignoresSlash} onChange={(ignoresSlash) => change({ ignoresSlash })} />
        <Switch label="Ignore upper and lower case" checked={fields.ignoresCase} onChange={(ignoresCase) => change({ ignoresCase })} />
      </div>
    </fieldset>
  )
}

function numberIn(text: string) {
  return statusCodes.find(({ value }) => String(value) === text)?.value ?? 301
}

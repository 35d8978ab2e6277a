import { kinds, namesQuery, redirectLimits, queryOptions, statusCodes } from '#app/redirects/rules/redirect.ts'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { Switch } from '#app/ui/switch.tsx'
import type { RedirectFormState } from './use-redirect-form.tsx'

const kindLabels = {
  exact: 'Exact: this path only',
  wildcard: 'Wildcard: every path with this prefix',
  pattern: 'Pattern: a regular expression',
}
const kindHints = {
  exact: 'Such as /old-page.',
  wildcard: 'With one * at the end, such as /old/*. A * in the target inserts the rest.',
  pattern: 'For the whole path, such as /news/(\\d+). In the target, $1 inserts the first group.',
}
const queryLabels = {
  pass: 'Pass it on',
  ignore: 'Drop it',
  contains: 'Must contain the query of the from path',
  exact: 'Must equal the query of the from path, except for tracking parameters',
}

type PartProps = { form: RedirectFormState }

/** `children` are notes about the two paths. */
export function RedirectFormFields({ form, children }: PartProps & { children: React.ReactNode }) {
  return (
    <>
      <Paths form={form} />
      {children}
      <Field label="Status code" name="statusCode">
        <Select value={form.fields.statusCode} onChange={({ target }) => form.change({ statusCode: numberIn(target.value) })}>
          {statusCodes.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Description" name="description" optional>
        <Input
          value={form.fields.description}
          most={redirectLimits.description}
          autoComplete="off"
          onChange={({ target }) => form.change({ description: target.value })}
        />
      </Field>
      <Switch label="Active" checked={form.fields.isActive} onChange={(isActive) => form.change({ isActive })} />
      <Options form={form} />
    </>
  )
}

function Paths({ form }: PartProps) {
  return (
    <>
      <PathField form={form} name="fromPath" label="From path" hint={kindHints[form.fields.kind]} placeholder="/old-page" />
      <PathField
        form={form}
        name="toPath"
        label="To path"
        hint="A path on this site, or a full URL of another site."
        placeholder="/new-page or https://example.com/page"
      />
    </>
  )
}

type PathFieldProps = PartProps & { name: 'fromPath' | 'toPath'; label: string; hint: string; placeholder: string }

function PathField({ form: { fields, change }, name, label, hint, placeholder }: PathFieldProps) {
  return (
    <Field label={label} name={name} hint={hint}>
      <Input
        value={fields[name]}
        most={redirectLimits.path}
        className="font-mono text-small"
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        placeholder={placeholder}
        onChange={({ target }) => change({ [name]: target.value })}
      />
    </Field>
  )
}

function Options({ form: { fields, change } }: PartProps) {
  return (
    <fieldset className="grid gap-4 border-t border-line pt-5">
      <legend className="float-left mb-1 text-small font-semibold">Matching options</legend>
      <Field label="Kind" name="kind">
        <Select value={fields.kind} onChange={({ target }) => change({ kind: kinds.find((kind) => kind === target.value) ?? 'exact' })}>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {kindLabels[kind]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Query" name="query" hint="The part of the URL after the ?.">
        <Select
          value={fields.query === 'pass' && namesQuery(fields) ? 'contains' : fields.query}
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
        <Switch label="Ignore a trailing slash" checked={fields.ignoresSlash} onChange={(ignoresSlash) => change({ ignoresSlash })} />
        <Switch label="Ignore case" checked={fields.ignoresCase} onChange={(ignoresCase) => change({ ignoresCase })} />
      </div>
    </fieldset>
  )
}

function numberIn(text: string) {
  return statusCodes.find(({ value }) => String(value) === text)?.value ?? 301
}

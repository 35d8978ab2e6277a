import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Avatar } from './avatar.tsx'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { Input, Select, Textarea } from './input.tsx'

const html = renderToStaticMarkup

test('a field names its control, and ties hint and error to it', () => {
  const field = html(
    <Field label="E-mail" name="email" hint="The answer goes there." error="Invalid email address">
      <Input type="email" />
    </Field>,
  )
  expect(field).toMatch(/<label for="field-email"/)
  expect(field).toMatch(
    /<input (?=[^>]*id="field-email")(?=[^>]*name="email")(?=[^>]*aria-describedby="field-email-hint field-email-error")/,
  )
  expect(field).toMatch(/<input (?=[^>]*aria-invalid="true")(?=[^>]*aria-required="true")/)
  expect(field).toMatch(/<p id="field-email-error"[^>]*>.*Invalid email address<\/p>/)
})

test('a field that may stay empty says so in words, and is not required', () => {
  const field = html(
    <Field label="Company" name="company" optional>
      <Textarea />
    </Field>,
  )
  expect(field).toMatch(/optional<\/span><\/label>/)
  expect(field).not.toMatch(/ aria-(required|invalid|describedby)=/)
})

test('two forms of one page tell their fields apart by id and keep the names', () => {
  const field = html(
    <Field label="Country" name="country" id="hire-country">
      <Select />
    </Field>,
  )
  expect(field).toMatch(/<label for="hire-country"/)
  expect(field).toMatch(/<select (?=[^>]*id="hire-country")(?=[^>]*name="country")/)
})

test('a control outside of a field throws immediately', () => {
  expect(() => html(<Input />)).toThrow('inside of a Field')
})

test('an unavailable button stays focusable and says why; a busy one cannot be pressed', () => {
  const unavailable = html(<Button unavailable="Choose a row first.">Export</Button>)
  expect(unavailable).toMatch(/aria-disabled="true" aria-description="Choose a row first\."/)
  expect(unavailable).not.toMatch(/ disabled=/)
  expect(html(<Button busy>Sending...</Button>)).toMatch(/<button disabled="" aria-busy="true"/)
  expect(html(<Button>Send</Button>)).not.toMatch(/disabled|aria-busy/)
})

test('a person without a picture is shown by a letter, and one with a picture does not tell its host where it is shown', () => {
  expect(html(<Avatar src={undefined} label="ada@example.com" />)).toContain('data-initial="A"')
  expect(html(<Avatar src="https://pictures.example/ada.png" label="Ada" />)).toMatch(/<img (?=.*alt="")(?=.*referrerPolicy="no-referrer")/)
})

import { useNavigate, useSearchParams } from 'react-router'
import { withChanges } from './view.ts'

/**
 * The URL as state. `replace` is for typed text, so the back button does not undo it character by character. `fromTop` scrolls to the top, for
 * a view that replaces the page, such as a form.
 */
export function useView() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  return {
    params,
    change: (changes: Record<string, string | undefined>, { replace = false, fromTop = false } = {}) =>
      void navigate(withChanges(params, changes), { preventScrollReset: !fromTop, replace }),
  }
}

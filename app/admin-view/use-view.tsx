import { useNavigate, useSearchParams } from 'react-router'
import { withChanges } from './view.ts'

/** The address as state. `replace` is for what is typed, so that the back button does not spell it backwards. */
export function useView() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  return {
    params,
    change: (changes: Record<string, string | undefined>, { replace = false } = {}) =>
      void navigate(withChanges(params, changes), { preventScrollReset: true, replace }),
  }
}

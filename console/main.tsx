import { render } from 'preact'
import './style/tokens.css'
import './style/base.css'
import { App } from './App.tsx'
import { applyPreferences } from './preferences.ts'

applyPreferences()
const root = document.getElementById('console')
if (root) render(<App />, root)

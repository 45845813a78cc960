import { QueryClientProvider } from '@tanstack/react-query';
import { render } from 'preact';
import { queries } from './api/queries.ts';
import { App } from './app.tsx';
import './style.css';

const root = document.querySelector('#console');
if (!root) throw new Error('The page has no #console');
render(
  <QueryClientProvider client={queries}>
    <App />
  </QueryClientProvider>,
  root,
);

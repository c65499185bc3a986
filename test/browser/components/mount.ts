import { mount } from 'svelte';
import Showcase from './Showcase.svelte';

mount(Showcase, { target: document.body, props: { show: new URLSearchParams(location.search).get('show') ?? '' } });

-- What is wrong with the port of an address where customers speak TLS to the proxy, found while its plain port works. Null: nothing is known to be.
alter table static.health add column https_problem text;

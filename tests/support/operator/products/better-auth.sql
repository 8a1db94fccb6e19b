-- Made by better-auth 1.7.25 with its passkey plugin 1.7.6 on PostgreSQL 15, through its HTTP endpoints.
CREATE TABLE public.account (
    id text NOT NULL,
    "accountId" text NOT NULL,
    "providerId" text NOT NULL,
    "userId" text NOT NULL,
    "accessToken" text,
    "refreshToken" text,
    "idToken" text,
    "accessTokenExpiresAt" timestamp with time zone,
    "refreshTokenExpiresAt" timestamp with time zone,
    scope text,
    password text,
    "createdAt" timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp with time zone NOT NULL
);
CREATE TABLE public.passkey (
    id text NOT NULL,
    name text,
    "publicKey" text NOT NULL,
    "userId" text NOT NULL,
    "credentialID" text NOT NULL,
    counter integer NOT NULL,
    "deviceType" text NOT NULL,
    "backedUp" boolean NOT NULL,
    transports text,
    "createdAt" timestamp with time zone,
    aaguid text
);
CREATE TABLE public."user" (
    id text NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    "emailVerified" boolean NOT NULL,
    image text,
    "createdAt" timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);
INSERT INTO public.account VALUES ('YNIP8rK7Z2kCD4rpewFEP1wNFWVa95gc', 'MUll52RsvtJKx2y0A4lT0YHXeRTUBm6g', 'credential', 'MUll52RsvtJKx2y0A4lT0YHXeRTUBm6g', NULL, NULL, NULL, NULL, NULL, NULL, '547b925195f185e7ddab316067808f6d:9402a055ff83db8490acca3b2662909db183b303186506f8baa728af5b041bff98652e71099678a0bfe7ca20f3b9be76ec10f1c54bc87bc94efd8e24f829ec67', '2026-11-22 00:50:27.46+00', '2026-11-22 00:50:27.46+00');
INSERT INTO public.account VALUES ('CTSsg70eBqdjZtDtXfkDfXvt6fW7fy47', 'uKR6j1Wq64EW4WqdAjJrJTm232dlZomh', 'credential', 'uKR6j1Wq64EW4WqdAjJrJTm232dlZomh', NULL, NULL, NULL, NULL, NULL, NULL, 'b9d0f42e4bb29d227c54809586fd2106:df7debf8a9dcf49fa28dc01bbe0562f47e37d54e8e11640f1d4f0bb48d49884bf03891a2515d02cef61c024d658f46268e172411f8c5dd5131a468346956a7b9', '2026-11-22 00:50:29.427+00', '2026-11-22 00:50:29.427+00');
INSERT INTO public.passkey VALUES ('oBRe3EM89hUv2xeSex3fZpkAAG8YogLl', 'Laptop', 'pQECAyYgASFYILHTcwoIGp95Eb5PiquN3o0R/SgNK47kenVJlFbUzaveIlgg6cSxtiRfNWf0iepIbaEJ6M92zZmLKlgJBgrnzS02UmQ=', 'MUll52RsvtJKx2y0A4lT0YHXeRTUBm6g', 'IwdrWxn3xGAoicRWdCFRASUFOw6vRwOO1N2AaejE-EE', 0, 'multiDevice', true, 'internal,hybrid', '2026-11-22 00:50:28.159+00', '00000000-0000-0000-0000-000000000000');
INSERT INTO public."user" VALUES ('MUll52RsvtJKx2y0A4lT0YHXeRTUBm6g', 'Bea', 'bea@better-auth.example', false, NULL, '2026-11-22 00:50:27.42+00', '2026-11-22 00:50:27.42+00');
INSERT INTO public."user" VALUES ('uKR6j1Wq64EW4WqdAjJrJTm232dlZomh', 'Ben', 'ben@better-auth.example', false, NULL, '2026-11-22 00:50:29.423+00', '2026-11-22 00:50:29.423+00');
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.passkey
    ADD CONSTRAINT passkey_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public."user"
    ADD CONSTRAINT user_email_key UNIQUE (email);
ALTER TABLE ONLY public."user"
    ADD CONSTRAINT user_pkey PRIMARY KEY (id);
CREATE INDEX "account_userId_idx" ON public.account USING btree ("userId");
CREATE INDEX "passkey_credentialID_idx" ON public.passkey USING btree ("credentialID");
CREATE INDEX "passkey_userId_idx" ON public.passkey USING btree ("userId");
ALTER TABLE ONLY public.account
    ADD CONSTRAINT "account_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."user"(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.passkey
    ADD CONSTRAINT "passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."user"(id) ON DELETE CASCADE;

package io.kvrouter.http.access;

import io.kvrouter.access.Caller;
import io.kvrouter.access.Keyring;
import io.kvrouter.access.Operator;

/** All keys of a node: those of the API's callers, and those of the management port's operators. */
public record Keys(Keyring<Caller> callers, Keyring<Operator> operators) {}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {BoxofficeTickets} from "../../infra/contracts/BoxofficeTickets.sol";

/// @dev Reads, in one call, all that the property test compares with its model after every step.
contract Lens {
    struct View {
        uint256[] quantities;
        address[] owners;
        address[] approved;
        uint256[] balances;
        bool[] operators;
    }

    /// @return state The minted quantity of each order; owner and approved address of each of its ids from 0 to
    /// `idsPerOrder` - 1, the zero address where the contract reverts; the balance of each account; and for each pair
    /// of accounts whether the second is an operator of the first.
    function read(
        BoxofficeTickets tickets,
        bytes32[] calldata orderKeys,
        uint256 idsPerOrder,
        address[] calldata accounts
    ) external view returns (View memory state) {
        state.quantities = new uint256[](orderKeys.length);
        state.owners = new address[](orderKeys.length * idsPerOrder);
        state.approved = new address[](orderKeys.length * idsPerOrder);
        for (uint256 order = 0; order < orderKeys.length; ++order) {
            state.quantities[order] = tickets.mintedQuantity(orderKeys[order]);
            for (uint256 index = 0; index < idsPerOrder; ++index) {
                uint256 tokenId = tickets.firstTokenId(orderKeys[order]) + index;
                uint256 place = order * idsPerOrder + index;
                state.owners[place] = zeroOnRevert(tickets, abi.encodeCall(IERC721.ownerOf, (tokenId)));
                state.approved[place] = zeroOnRevert(tickets, abi.encodeCall(IERC721.getApproved, (tokenId)));
            }
        }
        state.balances = new uint256[](accounts.length);
        state.operators = new bool[](accounts.length * accounts.length);
        for (uint256 owner = 0; owner < accounts.length; ++owner) {
            state.balances[owner] = tickets.balanceOf(accounts[owner]);
            for (uint256 other = 0; other < accounts.length; ++other) {
                state.operators[owner * accounts.length + other] =
                    tickets.isApprovedForAll(accounts[owner], accounts[other]);
            }
        }
    }

    function zeroOnRevert(BoxofficeTickets tickets, bytes memory data) private view returns (address) {
        (bool succeeded, bytes memory answer) = address(tickets).staticcall(data);
        return succeeded ? abi.decode(answer, (address)) : address(0);
    }
}
